import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["parley-source", "module", "node", "development|production"] },
  ssr: { resolve: { conditions: ["parley-source", "module", "node", "development|production"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "hosts/*/test/**/*.test.ts", "docs/examples/test/*.test.ts"],
    globalSetup: ["packages/testkit/src/globalSetup.ts"]
  }
})
