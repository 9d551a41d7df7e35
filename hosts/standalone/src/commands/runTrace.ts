import type { RunResource } from "@parley/core"
import { cell, durationText, tableOf } from "./table.js"

type Run = typeof RunResource.Type

/** A run as text: its subject, then a line for each action with its time, type, outcome, duration and reason. */
export const runTrace = (run: Run, workflowName: string, room: number | null): string => {
  const facts = [
    ["run", run.id],
    ["workflow", `${cell(workflowName)}, version ${run.version} (${run.workflowId})`],
    ["event", `${cell(run.event.name)} (${run.event.id})`],
    ["contact", run.contactId],
    ["began", time(run.createdAt)],
    ["status", run.endedAt === null ? run.status : `${run.status} at ${time(run.endedAt)}`],
    ...(run.reason === null ? [] : [["because", cell(run.reason)]]),
    ...jobFacts(run.job)
  ]
  const steps = run.steps.map(({ attempts, detail, endedAt, outcome, startedAt, ...step }) => [
    time(startedAt),
    actionOf(step),
    outcome,
    durationText(endedAt - startedAt, "ms"),
    // The attempts of a waiting action are polls; only those of a webhook call are tries.
    `${cell(detail)}${step.type === "call_webhook" && attempts > 1 ? ` (tried ${attempts} times)` : ""}`
  ])
  const { pending } = run
  const now =
    pending === null ? [] : [[time(pending.startedAt), actionOf(pending), "now", "", cell(pending.explanation)]]
  const lines = [...steps, ...now]
  return [tableOf(facts, room), lines.length === 0 ? "No action was begun." : tableOf(lines, room)].join("\n\n")
}

/** The state of the run's job, with the remedy. A waiting one says nothing that the pending action does not. */
const jobFacts = (job: Run["job"]): ReadonlyArray<ReadonlyArray<string>> =>
  job === null || job.state === "waiting"
    ? []
    : [
        ["job", `${job.state}: ${cell(job.explanation)}`],
        ...(job.state === "parked" ? [["", `parley job retry ${job.id}`]] : [])
      ]

const actionOf = ({ name, type }: { readonly name: string | null; readonly type: string }): string =>
  name === null ? type : `${type} "${cell(name)}"`

const time = (instant: number): string => cell(new Date(instant).toISOString())
