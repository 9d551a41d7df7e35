import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Tests of hosts, examples and packed packages: they start processes, take longest, and wait most of that. */
const startsProcesses = /[/](hosts|docs[/]examples)[/]|[/]packed[.]test[.]ts$/

/** Runs the longest files first, so that none of them ends alone. */
export default class ProcessesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const isFirst = ({ moduleId }: TestSpecification) => startsProcesses.test(moduleId)
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))]
  }
}
