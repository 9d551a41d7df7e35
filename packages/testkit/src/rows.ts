import type {
  AccessToken,
  Address,
  Agent,
  ApiKey,
  Application,
  AttachedFile,
  Attempt,
  AuditEntry,
  Bot,
  BotSession,
  BusinessEvent,
  Connection,
  Contact,
  Conversation,
  CustomField,
  Delivery,
  Endpoint,
  Event,
  FeedEntry,
  IdempotencyRecord,
  Job,
  Lead,
  LoggedRequest,
  Message,
  Notification,
  OAuthClient,
  Pipeline,
  ProviderMessage,
  Run,
  RunKey,
  Script,
  Tag,
  Task,
  Team,
  Template,
  UnknownEvent,
  Workflow,
  WorkflowVersion,
  Workspace
} from "@parley/core"

/** The moment at which rows were made that say nothing else. */
export const someTime = 1_780_000_000_000

/** The id of the workspace that rows belong to which name none. */
export const someWorkspaceId = "01900000-0000-7000-8000-000000000001"
/** The same for applications. */
export const someApplicationId = "01900000-0000-7000-8000-000000000002"
/** The same for connections. */
export const someConnectionId = "01900000-0000-7000-8000-000000000003"
/** The same for contacts. */
export const someContactId = "01900000-0000-7000-8000-000000000004"
/** The same for conversations. */
export const someConversationId = "01900000-0000-7000-8000-000000000005"
/** The same for endpoints. */
export const someEndpointId = "01900000-0000-7000-8000-000000000006"
/** The same for workflows. */
export const someWorkflowId = "01900000-0000-7000-8000-000000000007"

type Given<T> = Partial<T> & { readonly id: string }

export const aWorkspace = (given: Partial<Workspace> = {}): Workspace => ({
  id: someWorkspaceId,
  name: "Bakery",
  defaultLanguage: "en",
  timezone: "UTC",
  status: "active",
  createdAt: someTime,
  version: 1,
  ...given
})

export const anApplication = (given: Partial<Application> = {}): Application => ({
  id: someApplicationId,
  workspaceId: someWorkspaceId,
  name: "Shop",
  mode: "test",
  scopes: ["messages.send", "messages.read"],
  connectionIds: [someConnectionId],
  requestsPerMinute: 1_000,
  sendsPerMinute: 100,
  status: "active",
  createdAt: someTime,
  version: 1,
  ...given
})

export const anApiKey = (given: Given<ApiKey>): ApiKey => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  hash: given.id.replaceAll("-", "").padEnd(64, "0"),
  lastFour: "abcd",
  createdAt: someTime,
  revokedAt: null,
  version: 1,
  ...given
})

export const anOAuthClient = (given: Given<OAuthClient>): OAuthClient => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  clientId: `client_${given.id}`,
  secretHash: given.id.replaceAll("-", "").padEnd(64, "0"),
  lastFour: "abcd",
  createdAt: someTime,
  revokedAt: null,
  version: 1,
  ...given
})

export const anAccessToken = (given: Partial<AccessToken> = {}): AccessToken => ({
  hash: "0".repeat(64),
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  oauthClientId: someApplicationId,
  clientVersion: 1,
  scopes: ["messages.send"],
  createdAt: someTime,
  expiresAt: someTime + 3_600_000,
  ...given
})

export const anAuditEntry = (given: Given<AuditEntry>): AuditEntry => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  actor: "admin",
  action: "api_key.issued",
  subjectId: someApplicationId,
  createdAt: someTime,
  ...given
})

export const anIdempotencyRecord = (given: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  key: "order-1",
  fingerprint: "0".repeat(64),
  state: "done",
  deadline: someTime,
  status: 202,
  body: "{}",
  createdAt: someTime,
  expiresAt: someTime + 86_400_000,
  version: 1,
  ...given
})

export const aConnection = (given: Partial<Connection> = {}): Connection => ({
  id: someConnectionId,
  workspaceId: someWorkspaceId,
  channel: "whatsapp",
  provider: "sandbox",
  name: "Front desk",
  handle: "+4930000000",
  status: "active",
  isTest: true,
  config: {},
  credentials: null,
  heldUntil: 0,
  heldMs: 0,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aTemplate = (given: Given<Template>): Template => ({
  workspaceId: someWorkspaceId,
  channel: "whatsapp",
  name: "order_ready",
  language: "en",
  category: "utility",
  body: "Your order {{1}} is ready.",
  status: "approved",
  createdAt: someTime,
  version: 1,
  ...given
})

export const aContact = (given: Partial<Contact> = {}): Contact => ({
  id: someContactId,
  workspaceId: someWorkspaceId,
  firstName: "Ada",
  lastName: "Byron",
  company: null,
  jobTitle: null,
  email: null,
  phone: "+4915112345678",
  country: null,
  city: null,
  language: null,
  timezone: null,
  lifecycleStage: "lead",
  optedOut: false,
  marketingOptedOut: false,
  identities: [{ channel: "whatsapp", handle: "+4915112345678", displayName: null }],
  tags: [],
  customFields: {},
  visitorName: null,
  nameKey: "ada byron",
  searchKey: "ada byron +4915112345678",
  lastActivityAt: someTime,
  createdAt: someTime,
  version: 1,
  ...given
})

export const anAddress = (given: Partial<Address> = {}): Address => ({
  workspaceId: someWorkspaceId,
  space: "phone",
  handle: "+4915112345678",
  contactId: someContactId,
  ...given
})

export const aTag = (given: Partial<Tag> = {}): Tag => ({
  workspaceId: someWorkspaceId,
  folded: "vip",
  name: "VIP",
  ...given
})

export const aCustomField = (given: Partial<CustomField> = {}): CustomField => ({
  workspaceId: someWorkspaceId,
  key: "plan",
  type: "text",
  label: "Plan",
  ...given
})

export const aConversation = (given: Partial<Conversation> = {}): Conversation => ({
  id: someConversationId,
  workspaceId: someWorkspaceId,
  connectionId: someConnectionId,
  channel: "whatsapp",
  handle: "+4915112345678",
  contactId: someContactId,
  status: "open",
  assignedUserId: null,
  assignedTeamId: null,
  lastActivityAt: someTime,
  lastInboundAt: 0,
  deliveredUpTo: 0,
  readUpTo: 0,
  fed: 0,
  botSessionId: null,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aMessage = (given: Given<Message>): Message => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  agentId: null,
  workflowRunId: null,
  botSessionId: null,
  externalReference: null,
  conversationId: someConversationId,
  contactId: someContactId,
  connectionId: someConnectionId,
  direction: "outbound",
  type: "text",
  status: "queued",
  body: "Your order is ready.",
  subject: null,
  html: null,
  templateName: null,
  templateLanguage: null,
  variables: [],
  attachments: [],
  error: null,
  providerMessageId: null,
  createdAt: someTime,
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  receivedAt: null,
  version: 1,
  ...given
})

export const aProviderMessage = (given: Partial<ProviderMessage> = {}): ProviderMessage => ({
  connectionId: someConnectionId,
  providerMessageId: "wamid.1",
  workspaceId: someWorkspaceId,
  messageId: null,
  parked: [],
  createdAt: someTime,
  version: 1,
  ...given
})

export const aFeedEntry = (given: Partial<FeedEntry> & { readonly messageId: string }): FeedEntry => ({
  conversationId: someConversationId,
  sequence: 1,
  workspaceId: someWorkspaceId,
  ...given
})

export const anAttachedFile = (given: Given<AttachedFile> & { readonly messageId: string }): AttachedFile => ({
  workspaceId: someWorkspaceId,
  connectionId: someConnectionId,
  status: "waiting",
  reference: "media-1",
  createdAt: someTime,
  version: 1,
  ...given
})

export const anUnknownEvent = (given: Given<UnknownEvent>): UnknownEvent => ({
  workspaceId: someWorkspaceId,
  connectionId: someConnectionId,
  kind: "reaction",
  raw: "{}",
  createdAt: someTime,
  ...given
})

export const anEvent = (given: Given<Event>): Event => ({
  workspaceId: someWorkspaceId,
  type: "message.queued",
  applicationId: someApplicationId,
  connectionId: someConnectionId,
  subjectId: given.id,
  hasExternalReference: true,
  externalReference: null,
  data: "{}",
  createdAt: someTime,
  ...given
})

export const anEndpoint = (given: Partial<Endpoint> = {}): Endpoint => ({
  id: someEndpointId,
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  url: "https://shop.example/hooks",
  events: ["*"],
  description: null,
  secret: "sealed",
  status: "active",
  consecutiveFailures: 0,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aDelivery = (given: Given<Delivery>): Delivery => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  endpointId: someEndpointId,
  eventId: given.id,
  status: "pending",
  attempts: 0,
  round: 0,
  createdAt: someTime,
  completedAt: null,
  version: 1,
  ...given
})

export const anAttempt = (given: Given<Attempt>): Attempt => ({
  workspaceId: someWorkspaceId,
  deliveryId: given.id,
  endpointId: someEndpointId,
  number: 1,
  startedAt: someTime,
  durationMs: 12,
  status: 200,
  error: null,
  answer: "",
  ...given
})

export const anAgent = (given: Given<Agent>): Agent => ({
  workspaceId: someWorkspaceId,
  name: "Grace",
  email: "grace@shop.example",
  status: "active",
  createdAt: someTime,
  version: 1,
  ...given
})

export const aTeam = (given: Given<Team>): Team => ({
  workspaceId: someWorkspaceId,
  name: "Front desk",
  agentIds: [],
  createdAt: someTime,
  version: 1,
  ...given
})

export const aPipeline = (given: Given<Pipeline>): Pipeline => ({
  workspaceId: someWorkspaceId,
  name: "Sales",
  stages: [
    { key: "new", name: "New" },
    { key: "won", name: "Won" }
  ],
  createdAt: someTime,
  version: 1,
  ...given
})

export const aLead = (given: Given<Lead>): Lead => ({
  workspaceId: someWorkspaceId,
  contactId: someContactId,
  pipelineId: given.id,
  stage: "new",
  title: null,
  value: null,
  currency: null,
  createdAt: someTime,
  updatedAt: someTime,
  version: 1,
  ...given
})

export const aWorkflow = (given: Given<Workflow>): Workflow => ({
  workspaceId: someWorkspaceId,
  name: "Tell of shipping",
  status: "published",
  eventName: "order.shipped",
  definition: { conditions: null, actions: [] },
  versionId: null,
  versions: 0,
  edited: true,
  secret: null,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aWorkflowVersion = (given: Given<WorkflowVersion>): WorkflowVersion => ({
  workspaceId: someWorkspaceId,
  workflowId: someWorkflowId,
  number: 1,
  definition: { conditions: null, actions: [] },
  createdAt: someTime,
  ...given
})

export const aRun = (given: Given<Run>): Run => ({
  workspaceId: someWorkspaceId,
  workflowId: someWorkflowId,
  versionId: "01900000-0000-7000-8000-000000000008",
  applicationId: someApplicationId,
  contactId: someContactId,
  businessEventId: "01900000-0000-7000-8000-000000000009",
  eventName: "order.shipped",
  data: {},
  status: "running",
  position: 0,
  pending: null,
  steps: [],
  reason: null,
  createdAt: someTime,
  endedAt: null,
  version: 1,
  ...given
})

export const aRunKey = (given: Partial<RunKey> = {}): RunKey => ({
  workflowId: someWorkflowId,
  applicationId: someApplicationId,
  key: "order-1",
  workspaceId: someWorkspaceId,
  runId: "01900000-0000-7000-8000-00000000000a",
  ...given
})

const someScript: Script = {
  start: { keywords: ["demo"], newConversationOn: [] },
  greeting: "Hello!",
  steps: [{ key: "end", type: "finish", text: null }],
  timeOutMs: 1_800_000,
  timeOutText: null
}

export const aBot = (given: Given<Bot>): Bot => ({
  workspaceId: someWorkspaceId,
  name: "Qualify",
  status: "active",
  script: someScript,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aBotSession = (given: Given<BotSession>): BotSession => ({
  workspaceId: someWorkspaceId,
  botId: "01900000-0000-7000-8000-00000000000b",
  botName: "Qualify",
  script: someScript,
  conversationId: someConversationId,
  contactId: someContactId,
  connectionId: someConnectionId,
  applicationId: null,
  workflowRunId: null,
  status: "active",
  outcome: null,
  step: null,
  tries: 0,
  answers: {},
  takenUpTo: "01900000-0000-7000-8000-00000000000c",
  startedAt: someTime,
  expiresAt: someTime,
  endedAt: null,
  version: 1,
  ...given
})

export const aBusinessEvent = (given: Given<BusinessEvent>): BusinessEvent => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  name: "order.shipped",
  contactId: someContactId,
  dedupeKey: null,
  idempotencyKey: "order-1",
  data: {},
  createdAt: someTime,
  ...given
})

export const aJob = (given: Given<Job>): Job => ({
  workspaceId: someWorkspaceId,
  lane: "sends",
  subject: someConnectionId,
  reference: given.id,
  payload: null,
  runAt: someTime,
  leaseUntil: 0,
  leaseOwner: null,
  epoch: 0,
  attempts: 0,
  createdAt: someTime,
  ...given
})

export const aTask = (given: Given<Task>): Task => ({
  workspaceId: someWorkspaceId,
  title: "Call back",
  contactId: someContactId,
  conversationId: null,
  assignedUserId: null,
  assignedTeamId: null,
  status: "open",
  dueAt: null,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aNotification = (given: Given<Notification>): Notification => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  kind: "webhook_endpoint.disabled",
  subjectId: someEndpointId,
  message: "The webhook endpoint failed 25 times in a row and is disabled.",
  createdAt: someTime,
  ...given
})

export const aLoggedRequest = (given: Given<LoggedRequest>): LoggedRequest => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  method: "POST",
  path: "/api/v1/messages",
  status: 202,
  durationMs: 12,
  errorCode: null,
  createdAt: someTime,
  ...given
})
