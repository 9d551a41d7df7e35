import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import ProcessesFirst from "./.ci/ProcessesFirst.js"
import { integrationTests, unitTests } from "./.ci/testFiles.js"

// Files share a process and what it has loaded: to load Effect and the domain anew took longer than most files' tests.
// So no file may leave anything behind in a module.
const cores = availableParallelism()
const threads = { isolate: false, maxThreads: cores }
// Integration tests also wait: for processes, leases and timeouts.
// Without minForks, the pool ends processes that have no more files, which ends the run (docs/reference/libraries.md).
const forks = { isolate: false, minForks: cores + 2, maxForks: cores + 2 }

// One pattern: each file is matched against every pattern, which took 0.3 s for hundreds of them.
const anyOf = (files: ReadonlyArray<string>) => [`{${files.join(",")}}`]

/**
 * Answers as Node does where better-sqlite3 is not installed. Vite fails without an error code, because it is an
 * optional peer.
 */
const missingDriver = {
  name: "missing-driver",
  enforce: "pre" as const,
  resolveId: (id: string) => (id === "better-sqlite3" ? `\0${id}` : null),
  load: (id: string) =>
    id === "\0better-sqlite3"
      ? `throw Object.assign(new Error("Cannot find package 'better-sqlite3'"), { code: "ERR_MODULE_NOT_FOUND" })`
      : null
}

export default defineConfig({
  plugins: existsSync("packages/sqlite/node_modules/better-sqlite3") ? [] : [missingDriver],
  // As Node resolves: what packages offer under "module" is for bundlers, and some of it cannot be loaded by Node.
  resolve: { conditions: ["parley-source", "node", "development|production"] },
  ssr: { resolve: { conditions: ["parley-source", "node", "development|production"] } },
  test: {
    // No test may depend on how fast the machine is: what hangs is what this is for.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    poolOptions: { forks, threads },
    sequence: { sequencer: ProcessesFirst },
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
