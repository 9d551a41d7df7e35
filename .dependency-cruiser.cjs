// Who may import whom (docs/architecture.md). Imports point one way: hosts → http → core, adapters → sql → core.
const others = (...allowed) => `^packages/(?!(${allowed.join("|")})/)`

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
    {
      name: "rules-know-no-services",
      comment: "A room of core may use another's model and rules, never its service.",
      severity: "error",
      from: { path: "^packages/core/src/([^/]+)/" },
      to: {
        path: [
          "^packages/core/src/(access/(Access|AccessTokens)|contacts/Contacts|webhooks/Webhooks|worker/(Worker|Housekeeping))[.]ts$",
          "^packages/core/src/(messages/Messages|sends/Sends)[.]ts$",
          "^packages/core/src/workflows/BusinessEvents[.]ts$",
          "^packages/core/src/leads/Leads[.]ts$",
          "^packages/core/src/(channels/Channels|conversations/Conversations|templates/Templates)[.]ts$",
          "^packages/core/src/admin/"
        ],
        pathNot: "^packages/core/src/$1/"
      }
    },
    {
      name: "ports-know-models-only",
      severity: "error",
      from: { path: "^packages/core/src/ports/" },
      to: { path: "^packages/core/src/.*/[a-z][A-Za-z]*[.]ts$" }
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
      from: { path: "^packages/(sqlite|postgres)/src" },
      to: { path: others("$1", "sql", "core") }
    },
    {
      name: "ports-of-node-and-channels-know-core",
      severity: "error",
      from: { path: "^packages/(node|blobs-s3|channel-[a-z]+|http)/src" },
      to: { path: others("$1", "core") }
    },
    {
      name: "the-client-knows-nothing",
      comment: "It runs wherever there is fetch and WebCrypto.",
      severity: "error",
      from: { path: "^packages/client/src" },
      to: { pathNot: "^packages/client/src" }
    },
    {
      name: "parley-knows-no-channel-and-no-test-tool",
      severity: "error",
      from: { path: "^packages/parley/src" },
      to: { path: "^packages/(blobs-s3|channel-[a-z]+|testkit|bench)/" }
    },
    { name: "packages-know-no-hosts", severity: "error", from: { path: "^packages/(?!bench)" }, to: { path: "^hosts" } }
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["parley-source", "import", "node", "types"],
      mainFields: ["main", "types"]
    }
  }
}
