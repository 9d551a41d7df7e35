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
    globalSetup: ["packages/testkit/src/globalSetup.ts"]
  }
})
