import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { integrationTests, unitTests } from "./.ci/testFiles.js"

// Files share a process and what it has loaded: to load Effect and the domain anew took longer than most files' tests.
// So no file may leave anything behind in a module.
const shared = { isolate: false, maxForks: availableParallelism(), maxThreads: availableParallelism() }

// One pattern: each file is matched against every pattern, which took 0.3 s for hundreds of them.
const anyOf = (files: ReadonlyArray<string>) => [`{${files.join(",")}}`]

export default defineConfig({
  // As Node resolves: what packages offer under "module" is for bundlers, and some of it cannot be loaded by Node.
  resolve: { conditions: ["parley-source", "node", "development|production"] },
  ssr: { resolve: { conditions: ["parley-source", "node", "development|production"] } },
  test: {
    // No test may depend on how fast the machine is: what hangs is what this is for.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    poolOptions: { forks: shared, threads: shared },
    reporters: ["default", "./.ci/SkippedTests.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: anyOf(unitTests),
          pool: "threads",
          setupFiles: ["packages/testkit/src/freshTestMethods.ts", "packages/testkit/src/inMemoryOnly.ts"]
        }
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: anyOf(integrationTests),
          pool: "forks",
          setupFiles: ["packages/testkit/src/freshTestMethods.ts"],
          globalSetup: ["packages/testkit/src/globalSetup.ts"]
        }
      }
    ]
  }
})
