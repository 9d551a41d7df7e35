import { erasuresOf } from "../erasures.js"
import type { Call, History } from "../History.js"
import { listAt, textAt, timeAt, valueAt } from "../json.js"
import { settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"
import { definitionsOf, eventKey, filledIn, type RunHistory, runsOf } from "../workflows.js"

/**
 * An event that matches published workflows starts a run of each, once for each `dedupe_key`
 * (docs/reference/automations.md#start-of-a-run, docs/reference/events.md#deduplication-of-events). A run ends, and the
 * result of an action does not change. Each action is done once: a task of a run exists exactly if its step is done,
 * and a message is handed over under one id (docs/reference/automations.md#steps-and-commits).
 *
 * Not checked: runs of erased contacts, events without a `dedupe_key` or whose data others share, conditions, other
 * actions, and texts with other placeholders than those of the event's data.
 */
export function* runs(history: History): Iterable<Violation> {
  const known = runsOf(history)
  const erasures = erasuresOf(history)
  for (const run of known.values()) {
    yield* steps(run)
    yield* ending(history, run)
  }
  if (history.end === null) return
  const last = [...known.values()].filter(
    ({ contactId, readings }) =>
      !erasures.has(contactId) && (readings.at(-1)?.call.entry ?? 0) > (history.quiet?.entry ?? Infinity)
  )
  const events = eventsOf(history, erasures)
  yield* starts(history, last, events)
  yield* effects(history, last, events)
}

/** Steps come in the order of the actions, and stay as they were seen. */
function* steps({ id, readings }: RunHistory): Iterable<Violation> {
  let before: (typeof readings)[number] | undefined
  for (const reading of readings) {
    const { call, run } = reading
    const positions = listAt(run, "steps").map((step) => Number(valueAt(step, "position")))
    const isOrdered = positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? 0))
    const earlier = listAt(before?.run, "steps")
    // Readings that overlap may be answered in another order.
    const isOlder = before !== undefined && call.entry < before.call.responseEntry
    const isSame = earlier.every((step, index) => JSON.stringify(step) === JSON.stringify(listAt(run, "steps")[index]))
    if (isOrdered && (isOlder || isSame)) {
      before = reading
      continue
    }
    yield violation(
      "run-actions-once",
      call,
      isOrdered ? `The steps of run ${id} changed.` : `Run ${id} has the steps ${positions.join(", ")}.`,
      before?.call
    )
  }
}

/** After the quiet, no run goes on but for one that waits for a later time. */
function* ending({ quiet }: History, { id, readings }: RunHistory): Iterable<Violation> {
  const last = readings.at(-1)
  if (quiet === null || last === undefined || last.call.request.at < quiet.at + settling) return
  const { call, run } = last
  const status = textAt(run, "status")
  const until = timeAt(valueAt(run, "pending"), "until")
  if (status !== "running" && status !== "waiting") return
  if (textAt(run, "job", "state") === "parked" || (until !== null && until > call.request.at - settling)) return
  yield violation("run-ends", call, `Run ${id} is still ${status} ${call.request.at - quiet.at} ms after the quiet.`)
}

/** The calls that sent an event with one `dedupe_key` and data that no other key has. */
type Events = ReadonlyMap<string, { readonly workspaceId: string; readonly calls: ReadonlyArray<Call> }>

const eventsOf = (history: History, erasures: ReadonlyMap<string, unknown>): Events => {
  const events = new Map<string, { workspaceId: string; dedupeKey: string | null; calls: Array<Call> } | null>()
  for (const call of history.requests) {
    const application = history.applications.get(call.request.caller)?.application
    if (call.operation !== "POST /events" || call.api !== "public" || application === undefined) continue
    const { body } = call.request
    const key = eventKey(application.id, textAt(body, "event") ?? "", valueAt(body, "data") ?? {})
    const dedupeKey = textAt(body, "dedupe_key")
    const contactId = textAt(body, "contact_id")
    const known = events.get(key)
    if (known === null) continue
    const isLeftOut = contactId === null || erasures.has(contactId) || dedupeKey === null
    if (isLeftOut || (known !== undefined && known.dedupeKey !== dedupeKey)) events.set(key, null)
    else if (known === undefined) events.set(key, { workspaceId: application.workspaceId, dedupeKey, calls: [call] })
    else known.calls.push(call)
  }
  return new Map([...events].flatMap(([key, event]) => (event === null ? [] : [[key, event] as const])))
}

function* starts(history: History, runs: ReadonlyArray<RunHistory>, events: Events): Iterable<Violation> {
  const listed = new Set<string>()
  for (const { entry, operation, request, response } of history.calls) {
    if (operation !== "GET /workflow-runs" || response?.status !== 200 || entry < (history.quiet?.entry ?? 0)) continue
    if (valueAt(response.body, "meta", "has_more") === false) {
      listed.add(new URL(request.path, "http://host").searchParams.get("workspace_id") ?? "")
    }
  }
  for (const [key, { calls, workspaceId }] of events) {
    const started = runs.filter(({ event }) => event === key)
    const workflows = new Set(started.map(({ workflowId }) => workflowId))
    const [first] = calls
    if (first === undefined) continue
    if (started.length > workflows.size) {
      const text = `The event of ${first.request.path} with the key ${textAt(first.request.body, "dedupe_key")} started ${started.length} runs of ${workflows.size} workflows.`
      yield violation("event-starts-a-run-once", first, text)
    }
    const accepted = calls.find(
      ({ response }) =>
        response?.status === 202 && Number(valueAt(response.body, "data", "workflows_matched")) > workflows.size
    )
    if (accepted === undefined || !listed.has(workspaceId)) continue
    const matched = valueAt(accepted.response?.body, "data", "workflows_matched")
    const text = `An event matched ${matched} workflows, and there are runs of ${workflows.size}.`
    yield violation("event-starts-a-run", accepted, text)
  }
}

/** Titles of tasks after the quiet, by workspace; how many have each. */
const tasksOf = (history: History): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const tasks = new Map<string, Map<string, Set<string>>>()
  for (const { entry, operation, request, response } of history.calls) {
    if (operation !== "GET /tasks" || response?.status !== 200 || entry < (history.quiet?.entry ?? 0)) continue
    const workspaceId = new URL(request.path, "http://host").searchParams.get("workspace_id") ?? ""
    const titles = tasks.get(workspaceId) ?? new Map<string, Set<string>>()
    tasks.set(workspaceId, titles)
    for (const task of listAt(response.body, "data")) {
      const title = textAt(task, "title") ?? ""
      titles.set(title, (titles.get(title) ?? new Set()).add(textAt(task, "id") ?? ""))
    }
  }
  return new Map([...tasks].map(([id, titles]) => [id, new Map([...titles].map(([title, ids]) => [title, ids.size]))]))
}

/** Compares the effects of runs with their steps, by texts that only one event has. */
function* effects(history: History, runs: ReadonlyArray<RunHistory>, events: Events): Iterable<Violation> {
  const definitions = definitionsOf(history)
  const tasks = tasksOf(history)
  const expected = new Map<string, { done: number; readonly type: string; readonly text: string; run: RunHistory }>()
  for (const run of runs) {
    const last = run.readings.at(-1)
    if (last === undefined || !events.has(run.event)) continue
    for (const [position, action] of (definitions.get(run.workflowId) ?? []).entries()) {
      const type = textAt(action, "type") ?? ""
      const template = type === "create_task" ? textAt(action, "title") : textAt(action, "body")
      const text = template?.includes("{{data.") ? filledIn(template, run.data) : null
      if (text === null || (type !== "create_task" && type !== "send_message")) continue
      const step = listAt(last.run, "steps").find((step) => valueAt(step, "position") === position)
      const key = `${run.workspaceId} ${type} ${text}`
      const known = expected.get(key) ?? { done: 0, type, text, run }
      if (textAt(step, "outcome") === "done") known.done += 1
      expected.set(key, known)
    }
  }
  for (const { done, run, text, type } of expected.values()) {
    const titles = tasks.get(run.workspaceId)
    if (type === "create_task" && titles === undefined) continue
    const found = type === "create_task" ? (titles?.get(text) ?? 0) : messagesWith(history, run.workspaceId, text)
    // A message that waits is not handed over yet.
    if (type === "create_task" ? found === done : found <= done) continue
    const call = run.readings.at(-1)?.call
    if (call === undefined) continue
    const name = type === "create_task" ? "tasks" : "messages"
    yield violation(
      "run-effect-once",
      call,
      `There are ${found} ${name} "${text}", and ${done} steps of runs made one.`
    )
  }
}

/** The number of messages with a text that were handed over on connections of a workspace. */
const messagesWith = ({ connections, handOvers }: History, workspaceId: string, text: string): number =>
  new Set(
    handOvers
      .filter(
        ({ handOver }) => handOver.text === text && connections.get(handOver.connectionId)?.workspaceId === workspaceId
      )
      .map(({ handOver }) => handOver.messageId)
  ).size

const violation = (promise: string, call: Call, text: string, earlier?: Call): Violation => ({
  promise,
  at: call.response?.at ?? call.request.at,
  text,
  entries: earlier === undefined ? [call.entry] : [earlier.responseEntry, call.responseEntry]
})
