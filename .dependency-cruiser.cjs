module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    {
      name: "core-is-pure",
      severity: "error",
      from: { path: "^packages/core/src" },
      to: { path: ["^packages/(?!core)", "^hosts", "@effect/(sql|platform)"] }
    },
    {
      name: "core-no-node",
      severity: "error",
      from: { path: "^packages/core/src" },
      to: { dependencyTypes: ["core"] }
    },
    { name: "packages-not-hosts", severity: "error", from: { path: "^packages" }, to: { path: "^hosts" } },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } }
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
