import type { DryRunResource } from "@parley/core"
import { cell, layoutOf, rowOf } from "./table.js"

/** The result of a dry run as text: a line for each action, followed by what it would send. */
export const dryRunText = ({ reason, status, steps }: typeof DryRunResource.Type): string => {
  const lines = steps.map(({ detail, name, outcome, type }) => [
    name === null ? type : `${type} "${cell(name)}"`,
    outcome,
    cell(detail)
  ])
  const layout = layoutOf(lines, null)
  const stepLines = steps.flatMap(({ says }, at) => [
    rowOf(lines[at] ?? [], layout),
    ...(says === null ? [] : says.split("\n").map((line) => (line.trim() === "" ? "" : `    ${cell(line)}`)))
  ])
  return [...stepLines, `The run would be ${status}${reason === null ? "" : `: ${cell(reason)}`}.`].join("\n")
}
