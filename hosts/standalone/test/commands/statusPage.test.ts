import { expect, it } from "@effect/vitest"
import type { StatusResource } from "@parley/core"
import columnsOf from "string-width"
import { applicationsPage } from "../../src/commands/applicationsPage.js"
import { statusPage } from "../../src/commands/statusPage.js"

const id = (n: number) => `0190a1b2-0000-7000-8000-00000000000${n}`
const time = Date.parse("2026-11-21T12:00:00.000Z")
const quiet: typeof StatusResource.Type = {
  time,
  clockSkewMs: 0,
  lanes: [{ lane: "sends", due: 0, leased: 0, waiting: 0, oldestDueAt: null }],
  recentDeliveries: { delivered: 0, pending: 0, failed: 0 },
  disabledEndpoints: [],
  waitingSubscriptions: [],
  inactiveWorkspaces: [],
  suspendedApplications: [],
  inactiveConnections: [],
  missingSecretKeys: [],
  notifications: []
}
const endpoint = {
  applicationId: id(1),
  events: ["*" as const],
  description: null,
  ordered: null,
  status: "disabled" as const,
  createdAt: time
}

it("is short without problems", () => {
  expect(statusPage(quiet, "http://a.example", null).split("\n")).toEqual([
    "Parley at http://a.example is ready; its clock and the database's are the same.",
    "",
    "Queue",
    "  LANE   DUE  RUNNING  WAITING  OLDEST DUE",
    "  sends  0    0        0        -",
    "",
    "Webhooks: there are no deliveries yet.",
    "",
    "Endpoints: none is disabled.",
    "",
    "Connections: none is paused or disconnected.",
    "",
    "Notifications: none."
  ])
})

it("says that there may be more jobs than are counted", () => {
  const lanes = [{ lane: "sends" as const, due: 19_999, leased: 3, waiting: 20_000, oldestDueAt: time }]
  expect(statusPage({ ...quiet, lanes }, "http://a.example", null)).toMatch(/sends +19999 +3 +20000\+ /)
})

it("names the secret keys that the host lacks, with the remedy", () => {
  const missingSecretKeys = [
    { key: "1c03cd18", values: 1 },
    { key: "9b04e7aa", values: 40 }
  ]
  const page = statusPage({ ...quiet, missingSecretKeys }, "http://a.example", null)
  expect(page).toContain("Add them to PARLEY_SECRET_KEY_PREVIOUS")
  expect(page).toContain("  1c03cd18  1 value\n  9b04e7aa  40 values")
})

it("names each problem, its reason and the remedy", () => {
  const page = statusPage(
    {
      ...quiet,
      clockSkewMs: 1_200,
      lanes: [{ lane: "retries", due: 7, leased: 2, waiting: 40, oldestDueAt: time - 200_000 }],
      recentDeliveries: { delivered: 8, pending: 1, failed: 3 },
      disabledEndpoints: [
        { ...endpoint, id: id(2), url: "https://one.example/", consecutiveFailures: 25 },
        { ...endpoint, id: id(3), url: "https://other.example/", consecutiveFailures: 3 }
      ],
      waitingSubscriptions: [{ ...endpoint, id: id(9), url: "subscription:order-notes", consecutiveFailures: 0 }],
      inactiveWorkspaces: [
        {
          id: id(7),
          name: "Bakery",
          defaultLanguage: "en",
          timezone: "UTC",
          status: "suspended",
          createdAt: time
        }
      ],
      suspendedApplications: [
        {
          id: id(8),
          workspaceId: id(5),
          name: "Till",
          mode: "live",
          scopes: [],
          connectionIds: [],
          limits: { requestsPerMinute: 1, sendsPerMinute: 1 },
          status: "suspended",
          createdAt: time
        }
      ],
      inactiveConnections: [
        {
          id: id(4),
          workspaceId: id(5),
          channel: "whatsapp",
          provider: "sandbox",
          name: "Shop",
          handle: "+15550100",
          status: "paused",
          isTest: true,
          config: {},
          webhookUrl: null,
          heldUntil: null,
          capabilities: {
            textMaxLength: null,
            templates: false,
            deliveryReceipts: false,
            readReceipts: false,
            serviceWindowHours: null,
            types: ["text"],
            receives: ["text"],
            choices: null,
            files: null,
            locationUrls: false,
            reactions: null,
            quotes: false,
            typing: false,
            readMarks: false
          },
          createdAt: time
        }
      ],
      notifications: [
        {
          id: id(6),
          workspaceId: id(5),
          applicationId: id(1),
          kind: "webhook_endpoint.disabled",
          subjectId: id(2),
          message: "It is disabled.",
          createdAt: time
        }
      ]
    },
    "http://a.example",
    null
  )
  for (const line of [
    "are 1200 ms apart.",
    "  retries  7    2        40       for 3 min",
    "Webhooks: of the newest 12 deliveries, 8 succeeded, 1 are pending and 3 failed.",
    "`parley endpoint enable <id>` enables one",
    `  ${id(2)}  after 25 failures in a row  https://one.example/`,
    `  ${id(3)}  by an administrator         https://other.example/`,
    "`parley workspace update <id> --status active` activates one",
    `  ${id(7)}  suspended  Bakery`,
    "`parley app update <id> --status active` activates one",
    `  ${id(8)}  Till`,
    "if no code has it any more: `parley endpoint delete <id>`",
    `  ${id(9)}  subscription:order-notes`,
    `  ${id(4)}  paused  whatsapp  Shop`,
    "  2026-11-21 12:00:00Z  It is disabled."
  ]) {
    expect(page).toContain(line)
  }
})

it("shows what waits for each application, and the others in one line", () => {
  const work = {
    queued: 2,
    sending: 1,
    oldestQueuedAt: time - 60_000,
    failed: 0,
    deliveries: 3,
    disabledEndpoints: 1,
    parked: 0
  }
  const none = { ...work, queued: 0, oldestQueuedAt: null }
  const status = {
    time,
    applications: [
      { applicationId: id(1), name: "Web\u001b[2J shop", ...work },
      { applicationId: null, name: null, ...none }
    ],
    rest: { applications: 40, ...none }
  }
  const lines = applicationsPage(status, null).split("\n")
  const cells = lines.slice(0, 4).map((line) => line.split(/ {2,}/))
  expect(cells).toEqual([
    ["APPLICATION", "NAME", "QUEUED", "SENDING", "OLDEST", "FAILED", "EVENTS", "DISABLED", "PARKED"],
    [id(1), "Web\\u001b[2J shop", "2", "1", "1 min", "0", "3", "1", "0"],
    ["none", "-", "0", "1", "-", "0", "3", "1", "0"],
    ["40 others", "-", "0", "1", "-", "0", "3", "1", "0"]
  ])
  expect(applicationsPage({ time, applications: [], rest: null }, null)).toBe(
    "Nothing waits, and nothing failed lately."
  )
})

it("fits a terminal of 80 columns, with whole texts", () => {
  const message = "The connection Shop is held, because its provider refuses the credentials. ".repeat(5).trim()
  const about = { workspaceId: id(5), applicationId: null, kind: "connection.held" as const, subjectId: id(4) }
  const page = statusPage(
    { ...quiet, notifications: [{ ...about, id: id(6), message, createdAt: time }] },
    "http://a.example",
    80
  )
  expect(page.replaceAll(/\s+/g, " ")).toContain(message)
  const work = {
    queued: 1_999,
    sending: 100,
    oldestQueuedAt: time - 3_540_000,
    failed: 1_999,
    deliveries: 1_999,
    disabledEndpoints: 12,
    parked: 3
  }
  const applications = applicationsPage(
    {
      time,
      applications: [{ applicationId: id(1), name: "Bakery 東京の店", ...work }],
      rest: { applications: 40, ...work }
    },
    80
  )
  const lines = `${page}\n${applications}`.split("\n")
  expect(lines.filter((line) => columnsOf(line) > 80)).toEqual([])
})
