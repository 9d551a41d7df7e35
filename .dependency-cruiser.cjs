// Who may import whom (docs/architecture.md). Imports point one way: hosts → http → core, adapters → sql → core.
const others = (...allowed) => `^packages/(?!(${allowed.join("|")})/)`

// The rooms of core, lowest first: a room may import from those before it. docs/architecture.md says what each holds.
const coreRooms = [
  "errors",
  "model",
  "ports",
  "kernel/text",
  "kernel/metrics",
  "kernel",
  "kernel/input",
  "queue",
  "resources/notifications",
  "resources/requestLog",
  "resources/events",
  "resources/access",
  "resources/channels",
  "resources/contacts",
  "resources/agents",
  "resources/templates",
  "resources/conversations",
  "resources/attachments",
  "resources/messages",
  "resources/leads",
  "resources/tasks",
  "flows/sends",
  "flows/webhooks",
  "flows/bots",
  "flows/inbound",
  "flows/fetches",
  "flows/connections",
  "flows/agentReplies",
  "flows/messageAdmin",
  "flows/workflows",
  "flows/enqueued",
  "flows/jobs",
  "erasure",
  "housekeeping",
  "administration"
]
const inRoom = (room) => `^packages/core/src/${room}/${room === "kernel" ? "[^/]+$" : ""}`

const resourceServices = [
  "access/(Access|AccessTokens|Admin[A-Za-z]+)",
  "channels/(Channels|Admin[A-Za-z]+)",
  "contacts/(Contacts|ContactImports|(history/)?Admin[A-Za-z]+)",
  "conversations/Conversations",
  "leads/(Leads|Admin[A-Za-z]+)",
  "messages/Messages",
  "templates/(Templates|Admin[A-Za-z]+)"
]

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "core-knows-nothing-outside",
      severity: "error",
      from: { path: "^packages/core/src" },
      to: { path: [others("core"), "^hosts", "@effect/"] }
    },
    {
      name: "core-uses-no-node-but-pure-hashes",
      severity: "error",
      from: { path: "^packages/core/src" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" }
    },
    ...coreRooms.slice(0, -1).map((room, place) => ({
      name: `${room.replaceAll("/", "-")}-knows-only-rooms-below`,
      comment: "The order of core's rooms, lowest first, is the list `coreRooms` above.",
      severity: "error",
      from: { path: inRoom(room) },
      to: { path: [...coreRooms.slice(place + 1).map(inRoom), "^packages/core/src/[^/]+$"] }
    })),
    {
      name: "every-file-of-core-has-a-room",
      comment: "A new room goes into the list `coreRooms`.",
      severity: "error",
      from: { path: "^packages/core/src/.+/", pathNot: coreRooms.map(inRoom) },
      to: {}
    },
    {
      name: "rules-know-no-services",
      comment: "A room of core may use the model and the rules of a room below, never its service.",
      severity: "error",
      from: { path: "^packages/core/src/((?:resources|flows)/[^/]+)/" },
      to: {
        path: `^packages/core/src/(resources/(${resourceServices.join("|")})|flows/.*/Admin[A-Za-z]+)[.]ts$`,
        pathNot: "^packages/core/src/$1/"
      }
    },
    {
      name: "sql-knows-core",
      severity: "error",
      from: { path: "^packages/sql/src" },
      to: { path: others("sql", "core") }
    },
    {
      name: "adapters-know-sql-and-core",
      severity: "error",
      from: { path: "^packages/(sqlite|postgres|memory)/src" },
      to: { path: others("$1", "sql", "core") }
    },
    {
      name: "ports-and-channels-know-core",
      severity: "error",
      from: { path: "^packages/(blobs-s3|channel-(?:sandbox|email|webchat)|http|provider-kit)/src" },
      to: { path: others("$1", "core") }
    },
    {
      name: "node-and-channels-over-http-know-the-provider-kit",
      severity: "error",
      from: { path: "^packages/(node|channel-(?:sms|telegram)|meta-graph)/src" },
      to: { path: others("$1", "provider-kit", "core") }
    },
    {
      name: "channels-of-meta-know-its-graph-api",
      severity: "error",
      from: { path: "^packages/(channel-(?:whatsapp|messenger))/src" },
      to: { path: others("$1", "meta-graph", "provider-kit", "core") }
    },
    {
      name: "the-client-knows-nothing",
      comment: "It runs wherever there is fetch and WebCrypto.",
      severity: "error",
      from: { path: "^packages/client/src" },
      to: { pathNot: "^packages/client/src" }
    },
    {
      name: "the-host-knows-no-channel-and-no-test-tool",
      severity: "error",
      from: { path: "^packages/host/src" },
      to: {
        path: "^packages/(blobs-s3|channel-[a-z]+|meta-graph|provider-kit|testkit|testing|memory|bench|simulation)/"
      }
    },
    {
      name: "the-auditor-knows-only-the-journal",
      comment: "It finds what the engine gets wrong, so it shares no code with it.",
      severity: "error",
      from: { path: "^packages/simulation/src/audit" },
      to: { pathNot: "^(packages/simulation/src/audit|(node:)?crypto$)" }
    },
    {
      name: "packages-know-no-hosts",
      severity: "error",
      from: { path: "^packages/(?!bench|simulation)" },
      to: { path: "^hosts" }
    }
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(packages|hosts)/[^/]+/dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["parley-source", "import", "node", "types"],
      mainFields: ["main", "types"]
    }
  }
}
