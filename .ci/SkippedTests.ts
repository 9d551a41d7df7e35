import type { Reporter, TestModule } from "vitest/node"

/**
 * Ends a run by naming the skipped tests, by what to install for them: the text after "skipped: " in the name of the
 * test or its suite. Other skipped tests do not apply, such as contract tests of features that a channel lacks.
 */
export default class SkippedTests implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const byReason = new Map<string, Array<string>>()
    let doNotApply = 0
    for (const module of modules) {
      for (const test of module.children.allTests("skipped")) {
        const reason = /[(]skipped: (.*?)[)]( >|$)/.exec(test.fullName)?.[1]
        if (reason === undefined) doNotApply++
        else byReason.set(reason, [...(byReason.get(reason) ?? []), `${module.moduleId}: ${test.fullName}`])
      }
    }
    if (doNotApply > 0) process.stdout.write(`\n${doNotApply} skipped tests do not apply: their names say why.\n`)
    for (const [reason, tests] of byReason) {
      process.stdout.write(`\nSkipped (${reason}):\n${tests.map((test) => `  ${test}\n`).join("")}`)
    }
  }
}
