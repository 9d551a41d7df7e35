import { Clock, Data, Effect } from "effect"
import type { Refusal } from "../../../errors/Refusal.js"
import type { Instant } from "../../../model/Instant.js"
import type { Job } from "../../../model/Job.js"
import { hasBegun, type Run } from "../../../model/Run.js"
import type { Definition } from "../../../model/Workflow.js"
import { suspendedRetryMs } from "../../../model/Workspace.js"
import { lookupById, type RateToken, type ReadError, type ReadResult, readById } from "../../../ports/Storage.js"
import { mergeRetryMs } from "../../../resources/contacts/contactJob.js"
import { subscriberLookups } from "../../../resources/events/Outbox.js"
import { prepare } from "../actions/prepare.js"
import { loadConditionFacts } from "../conditions/loadConditionFacts.js"
import type { RunWorld } from "./advanceRun.js"
import { decidableActions } from "./decidableActions.js"
import type { Prepared, RunScope, RunServices } from "./RunScope.js"
import { runPayload } from "./runJob.js"
import { runStartToken, startRefusal } from "./runStartToken.js"

/** The result of loading the run of a due job. */
export type RunLookup = Data.TaggedEnum<{
  Ready: { readonly world: RunWorld }
  /** Workspace or application is not active, or the contact is being merged or erased; try again at `until`. */
  Held: { readonly until: Instant }
  /** The run was erased with its contact. */
  Gone: Record<never, never>
}>
export const RunLookup = Data.taggedEnum<RunLookup>()

/** A run before its next actions are loaded. */
export interface LoadedRun {
  readonly scope: RunScope
  readonly definition: Definition
}

/** Rate token of this run, reused across commit retries. */
export interface StartTokenCell {
  rateToken: RateToken | null
}

/**
 * Loads a run and the world of its next actions in a few batched reads. `callResult`: result of the current action's
 * call. `rowsAhead`: the rows of the run, if they were read.
 */
export const loadRun = (
  services: RunServices,
  job: Job,
  callResult: RunWorld["callResult"],
  startToken: StartTokenCell,
  rowsAhead?: RunRows
): Effect.Effect<RunLookup, Refusal | ReadError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const rows = rowsAhead ?? (yield* readRun(services, job, startToken, now))
    const [run] = rows.runs
    // A concurrent merge moves the run to the other contact; a concurrent erasure deletes it.
    const contact =
      run === undefined || run.contactId === runPayload(job).contactId
        ? rows.contacts[0]
        : yield* readById(services.storage, "contacts", run.contactId)
    const loaded = loadedOf(services, job, { ...rows, contacts: contact === undefined ? [] : [contact] }, now)
    if ("_tag" in loaded) return loaded
    const isBegun = hasBegun(loaded.scope.run) || callResult !== null
    const refused = isBegun ? null : yield* refusedBegin(services, loaded.scope.run, startToken, now)
    const world = yield* loadWorld(services, loaded, callResult, now)
    return RunLookup.Ready({ world: { ...world, refused } })
  })

/** What every run reads. */
export const runLookups = ({ definitions }: Pick<RunServices, "definitions">, job: Job) => {
  const { contactId, versionId } = runPayload(job)
  return {
    ...subscriberLookups(job.workspaceId),
    runs: lookupById("workflowRuns", job.reference),
    contacts: lookupById("contacts", contactId),
    versions: definitions.get(versionId) === undefined ? lookupById("workflowVersions", versionId) : null,
    workspaces: lookupById("workspaces", job.workspaceId)
  }
}

/** The rows of {@link runLookups}. */
export type RunRows = ReadResult<ReturnType<typeof runLookups>>

/** The run with its present contact, from the rows of {@link runLookups}; or why it cannot go on. */
export const loadedOf = (
  { definitions }: Pick<RunServices, "definitions">,
  job: Job,
  { applications, contacts, endpoints, runs, versions, workspaces }: RunRows,
  now: Instant
): LoadedRun | Exclude<RunLookup, { readonly _tag: "Ready" }> => {
  const [[run], [workspace], [contact]] = [runs, workspaces, contacts]
  const { versionId } = runPayload(job)
  const definition = definitions.get(versionId) ?? versions[0]?.definition
  const application = applications.find(({ id }) => id === run?.applicationId)
  if (run === undefined || definition === undefined || application === undefined) return RunLookup.Gone()
  definitions.set(versionId, definition)
  if (workspace?.status !== "active" || application.status !== "active") {
    return RunLookup.Held({ until: now + suspendedRetryMs })
  }
  if (contact?.id !== run.contactId) return RunLookup.Held({ until: now + mergeRetryMs })
  return { scope: { run, workspace, application, contact, subscribers: { applications, endpoints } }, definition }
}

/** Whether the run is about to start, because its job was never settled. */
export const takesStartToken = (job: Job): boolean => runPayload(job).settled === undefined

/** Takes the rate token of a start with the read. */
const readRun = (services: RunServices, job: Job, startToken: StartTokenCell, now: Instant) => {
  const lookups = runLookups(services, job)
  if (!takesStartToken(job) || startToken.rateToken !== null) return services.storage.read(lookups)
  const tokenRequest = runStartToken(runPayload(job).contactId, services.runsPerContactAndHour, now)
  return Effect.map(services.storage.readAndTakeToken(lookups, tokenRequest), ({ rateToken, found }) => {
    startToken.rateToken = rateToken
    return found
  })
}

const refusedBegin = (services: RunServices, run: Run, startToken: StartTokenCell, now: Instant) =>
  Effect.gen(function* () {
    const tokenRequest = runStartToken(run.contactId, services.runsPerContactAndHour, now)
    startToken.rateToken ??= yield* services.storage.takeToken(tokenRequest)
    return yield* startRefusal(startToken.rateToken, services.storage, run, now)
  })

/** Loads the world of the next actions of a run and the facts of their conditions. */
export const loadWorld = (
  services: RunServices,
  { definition, scope }: LoadedRun,
  callResult: RunWorld["callResult"],
  now: Instant
): Effect.Effect<RunWorld, Refusal | ReadError> =>
  Effect.gen(function* () {
    const { run } = scope
    const decidable = decidableActions(definition, run, callResult, now)
    const conditions = [
      ...(hasBegun(run) || callResult !== null ? [] : [definition.conditions]),
      ...decidable.map(([, action]) => action.if)
    ].filter((condition) => condition !== null)
    // In sequence: reads are batched with those of other runs, and concurrency would cost a fiber for each.
    const facts = yield* loadConditionFacts(services.storage, scope, conditions)
    const { channels } = services.providers
    const messageId = run.pending?.messageId ?? null
    const message = messageId === null ? undefined : yield* readById(services.storage, "messages", messageId)
    const prepared = yield* Effect.forEach(decidable, ([position, action]) =>
      prepareOne(services, scope, position, action)
    )
    return {
      scope,
      definition,
      facts: { ...facts, channels },
      prepared: new Map(prepared.flat()),
      message,
      callResult,
      refused: null
    }
  })

const prepareOne = (
  services: RunServices,
  scope: RunScope,
  position: number,
  action: Definition["actions"][number]
): Effect.Effect<ReadonlyArray<readonly [number, Prepared]>, Refusal | ReadError> => {
  const reading = prepare(services, scope, action)
  return reading === null ? Effect.succeed([]) : Effect.map(reading, (prepared) => [[position, prepared]])
}
