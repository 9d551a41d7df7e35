/** Ids of the resources in the examples of the OpenAPI documents. */
export const sampleIds = {
  contact: "0190a1b2-0000-7000-8000-000000000001",
  conversation: "0190a1b2-0000-7000-8000-000000000002",
  connection: "0190a1b2-0000-7000-8000-000000000003",
  template: "0190a1b2-0000-7000-8000-000000000004",
  message: "0190a1b2-0000-7000-8000-000000000005",
  lead: "0190a1b2-0000-7000-8000-000000000006",
  pipeline: "0190a1b2-0000-7000-8000-000000000007",
  agent: "0190a1b2-0000-7000-8000-000000000008",
  team: "0190a1b2-0000-7000-8000-000000000009",
  bot: "0190a1b2-0000-7000-8000-00000000000a",
  botSession: "0190a1b2-0000-7000-8000-00000000000b",
  endpoint: "0190a1b2-0000-7000-8000-00000000000c",
  attempt: "0190a1b2-0000-7000-8000-00000000000d",
  event: "0190a1b2-0000-7000-8000-00000000000e",
  request: "0190a1b2-0000-7000-8000-00000000000f",
  workspace: "0190a1b2-0000-7000-8000-000000000010",
  application: "0190a1b2-0000-7000-8000-000000000011",
  apiKey: "0190a1b2-0000-7000-8000-000000000012",
  delivery: "0190a1b2-0000-7000-8000-000000000013",
  workflow: "0190a1b2-0000-7000-8000-000000000014",
  oauthClient: "0190a1b2-0000-7000-8000-000000000015",
  auditEntry: "0190a1b2-0000-7000-8000-000000000016",
  notification: "0190a1b2-0000-7000-8000-000000000017",
  task: "0190a1b2-0000-7000-8000-000000000018",
  unknownEvent: "0190a1b2-0000-7000-8000-000000000019",
  attachment: "0190a1b2-0000-8000-8000-00000000001a",
  workflowVersion: "0190a1b2-0000-7000-8000-00000000001b",
  workflowRun: "0190a1b2-0000-7000-8000-00000000001c",
  businessEvent: "0190a1b2-0000-7000-8000-00000000001d",
  mergedContact: "0190a1b2-0000-7000-8000-0000000000c2"
} as const

/** Values that several examples of the OpenAPI documents share: a shop tells Ada that her order is on its way. */
export const samples = {
  apiKey: "parley_test_0123456789abcdefghijklmnopqrstuv",
  clientId: "parley_client_0123456789abcdefghijklmn",
  clientSecret: "parley_secret_0123456789abcdefghijklmnopqrstuv",
  signingSecret: "whsec_0123456789abcdefghijklmnopqrstuv",
  phone: "+4915112345678",
  email: "ada@example.com",
  order: "order-1042",
  text: "Hello Ada, your order 1042 is on its way.",
  created: "2026-05-04T08:30:00.000Z",
  sent: "2026-05-04T08:30:00.412Z",
  delivered: "2026-05-04T08:30:01.030Z",
  read: "2026-05-04T08:31:12.500Z"
} as const
