import type { RunResource } from "@parley/core"
import { cell, lineOf, widthsOf } from "./table.js"

type Run = typeof RunResource.Type

/** A run for a person: what it is about, then a line for each action with when, what, outcome, how long and why. */
export const runTrace = (run: Run, workflowName: string): string => {
  const facts = [
    ["run", run.id],
    ["workflow", `${cell(workflowName)}, version ${run.version} (${run.workflowId})`],
    ["event", `${cell(run.event.name)} (${run.event.id})`],
    ["contact", run.contactId],
    ["began", time(run.createdAt)],
    ["status", run.endedAt === null ? run.status : `${run.status} at ${time(run.endedAt)}`],
    ...(run.reason === null ? [] : [["because", cell(run.reason)]])
  ]
  const steps = run.steps.map(({ attempts, detail, endedAt, outcome, startedAt, ...step }) => [
    time(startedAt),
    actionOf(step),
    outcome,
    took(endedAt - startedAt),
    // Whatever waits is looked at again and again; what is called is tried.
    `${cell(detail)}${step.type === "call_webhook" && attempts > 1 ? ` (tried ${attempts} times)` : ""}`
  ])
  const { pending } = run
  const now =
    pending === null ? [] : [[time(pending.startedAt), actionOf(pending), "now", "", cell(pending.explanation)]]
  const lines = [...steps, ...now]
  return [table(facts), lines.length === 0 ? "No action was begun." : table(lines)].join("\n\n")
}

const table = (lines: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = widthsOf(lines, null)
  return lines.map((line) => lineOf(line, widths, null)).join("\n")
}

const actionOf = ({ name, type }: { readonly name: string | null; readonly type: string }): string =>
  name === null ? type : `${type} "${cell(name)}"`

const time = (instant: number): string => cell(new Date(instant).toISOString())

/** `ms` in its largest unit. */
const took = (ms: number): string => {
  const units = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
    ["s", 1_000]
  ] as const
  const [unit, size] = units.find(([, size]) => ms >= size) ?? ["ms", 1]
  return `${Math.floor(ms / size)} ${unit}`
}
