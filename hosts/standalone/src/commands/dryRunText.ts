import type { DryRunResource } from "@parley/core"
import { cell, lineOf, widthsOf } from "./table.js"

/** What a run would come to, for a person: a line for each action, and what it would say below. */
export const dryRunText = ({ reason, status, steps }: typeof DryRunResource.Type): string => {
  const lines = steps.map(({ detail, name, outcome, type }) => [
    name === null ? type : `${type} "${cell(name)}"`,
    outcome,
    cell(detail)
  ])
  const widths = widthsOf(lines, null)
  const told = steps.flatMap(({ says }, at) => [
    lineOf(lines[at] ?? [], widths, null),
    ...(says === null ? [] : says.split("\n").map((line) => (line.trim() === "" ? "" : `    ${cell(line)}`)))
  ])
  return [...told, `The run would be ${status}${reason === null ? "" : `: ${cell(reason)}`}.`].join("\n")
}
