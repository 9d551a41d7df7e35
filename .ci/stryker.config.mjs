/**
 * `npm run mutate`: mutation tests of the queue, the decider, sends, webhooks and the batches of commits
 * (docs/mutation.md).
 */
export default {
  mutate: [
    "packages/core/src/kernel/{Decider,retryWhileUnavailable}.ts",
    "packages/core/src/queue/*.ts",
    "packages/core/src/flows/sends/*.ts",
    "packages/core/src/flows/webhooks/{Webhooks,countAttempt,dueDelivery,recordAttempt,signature,signedPost}.ts",
    "packages/core/src/flows/webhooks/{recoverDeliveries,recoveryJob,redeliver,replayDelivery,resumeDeliveries}.ts",
    "packages/core/src/flows/webhooks/{webhookRequest,withFileLinks}.ts",
    "packages/core/src/resources/messages/{advance,claimProviderMessage,receiptsByWatermark,recordProgress}.ts",
    "packages/sql/src/{Coalescer,planBatch,settleBatch}.ts"
  ],
  testRunner: "vitest",
  vitest: { configFile: ".ci/vitest.mutate.config.ts", related: true },
  plugins: ["@stryker-mutator/vitest-runner", "./.ci/mutationIgnorer.mjs"],
  ignorers: ["calls"],
  // Type annotations are checked by `npm test`; the code of a mutant is not.
  disableTypeChecks: false,
  coverageAnalysis: "perTest",
  concurrency: 1,
  // A test that hangs fails by its own timeout before. This one ends loops that never yield.
  timeoutMS: 15_000,
  incremental: true,
  incrementalFile: ".cache/mutation/incremental.json",
  tempDirName: ".cache/mutation/sandbox",
  ignorePatterns: ["dist", "docs/api", "*.tsbuildinfo"],
  reporters: ["progress-append-only", "clear-text", "json"],
  jsonReporter: { fileName: ".cache/mutation/report.json" },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false }
}
