import type { Reporter, TestModule } from "vitest/node"

/** Ends a run by naming each test that was skipped, by what it needs: what its name or its suite's says after "skipped: ". */
export default class SkippedTests implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const byReason = new Map<string, Array<string>>()
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const reason = /[(]skipped: (.*?)[)]( >|$)/.exec(test.fullName)?.[1] ?? "no reason given"
        byReason.set(reason, [...(byReason.get(reason) ?? []), `${module.moduleId}: ${test.fullName}`])
      }
    }
    for (const [reason, tests] of byReason) {
      process.stdout.write(`\nSkipped (${reason}):\n${tests.map((test) => `  ${test}\n`).join("")}`)
    }
  }
}
