import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { unitTests } from "./testFiles.js"

const packages = join(import.meta.dirname, "../packages")
const conditions = ["parley-source", "node", "development|production"]

/** Unit tests of the code that `npm run mutate` mutates. A mutant of a module's constants runs all of them. */
const tests =
  /^packages[/](sql[/]|core[/]test[/](kernel[/](Decider|actor)|queue|flows[/](sends|webhooks)|resources[/]messages)[/.])/

/** For `npm run mutate` only (docs/mutation.md). Packages resolve to Stryker's copies, not to those in node_modules. */
export default defineConfig({
  resolve: {
    conditions,
    alias: [
      { find: "@parley/core", replacement: join(import.meta.dirname, "coreOfMutants.ts") },
      { find: /^@parley[/]testkit[/](rows|services)$/, replacement: join(packages, "testkit/src/$1.ts") },
      { find: /^@parley[/]([^/]+)$/, replacement: join(packages, "$1/src/index.ts") }
    ]
  },
  ssr: { resolve: { conditions } },
  test: {
    include: unitTests.filter((file) => tests.test(file)),
    testTimeout: 5_000,
    pool: "threads",
    poolOptions: { threads: { isolate: false } },
    setupFiles: ["packages/testkit/src/freshTestMethods.ts"]
  }
})
