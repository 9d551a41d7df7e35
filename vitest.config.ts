import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  // As Node resolves: what packages offer under "module" is for bundlers, and some of it cannot be loaded by Node.
  resolve: { conditions: ["parley-source", "node", "development|production"] },
  ssr: { resolve: { conditions: ["parley-source", "node", "development|production"] } },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "hosts/*/test/**/*.test.ts",
      "docs/examples/test/*.test.ts",
      "docs/examples/*/test/*.test.ts"
    ],
    // No test may depend on how fast the machine is: what hangs is what this is for.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Files share a process and what it has loaded: to load Effect and the domain anew took longer than most files' tests.
    // So no file may leave anything behind in a module.
    poolOptions: { forks: { isolate: false, maxForks: availableParallelism() } },
    setupFiles: ["packages/testkit/src/freshTestMethods.ts"],
    globalSetup: ["packages/testkit/src/globalSetup.ts"]
  }
})
