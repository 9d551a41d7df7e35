import { Clock, Data, Effect } from "effect"
import type { Refusal } from "../../../errors/Refusal.js"
import type { Instant } from "../../../model/Instant.js"
import type { Job } from "../../../model/Job.js"
import { hasBegun, type Run } from "../../../model/Run.js"
import type { Definition } from "../../../model/Workflow.js"
import { suspendedRetryMs } from "../../../model/Workspace.js"
import { lookupById, type RateToken, type ReadError, readById } from "../../../ports/Storage.js"
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
 * call.
 */
export const loadRun = (
  services: RunServices,
  job: Job,
  callResult: RunWorld["callResult"],
  startToken: StartTokenCell
): Effect.Effect<RunLookup, Refusal | ReadError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { contactId, versionId } = runPayload(job)
    const { applications, contacts, endpoints, runs, versions, workspaces } = yield* readRun(
      services,
      job,
      startToken,
      now
    )
    const [run] = runs
    const [workspace] = workspaces
    const definition = services.definitions.get(versionId) ?? versions[0]?.definition
    const application = applications.find(({ id }) => id === run?.applicationId)
    if (run === undefined || definition === undefined || application === undefined) return RunLookup.Gone()
    services.definitions.set(versionId, definition)
    if (workspace?.status !== "active" || application.status !== "active") {
      return RunLookup.Held({ until: now + suspendedRetryMs })
    }
    const contact =
      run.contactId === contactId ? contacts[0] : yield* readById(services.storage, "contacts", run.contactId)
    // A concurrent merge moves the run to the other contact; a concurrent erasure deletes it.
    if (contact === undefined) return RunLookup.Held({ until: now + mergeRetryMs })
    const scope: RunScope = { run, workspace, application, contact, subscribers: { applications, endpoints } }
    const refused = hasBegun(run) || callResult !== null ? null : yield* refusedBegin(services, run, startToken, now)
    const world = yield* loadWorld(services, { scope, definition }, callResult, now)
    return RunLookup.Ready({ world: { ...world, refused } })
  })

/** A run whose job was never settled is about to start: the read takes the rate token too. */
const readRun = (services: RunServices, job: Job, startToken: StartTokenCell, now: Instant) => {
  const { contactId, settled, versionId } = runPayload(job)
  const lookups = {
    ...subscriberLookups(job.workspaceId),
    runs: lookupById("workflowRuns", job.reference),
    contacts: lookupById("contacts", contactId),
    versions: services.definitions.get(versionId) === undefined ? lookupById("workflowVersions", versionId) : null,
    workspaces: lookupById("workspaces", job.workspaceId)
  }
  if (settled !== undefined || startToken.rateToken !== null) return services.storage.read(lookups)
  const tokenRequest = runStartToken(contactId, services.runsPerContactAndHour, now)
  return Effect.map(services.storage.readAndTakeToken(lookups, tokenRequest), ({ rateToken, found }) => {
    startToken.rateToken = rateToken
    return found
  })
}

const refusedBegin = (services: RunServices, run: Run, startToken: StartTokenCell, now: Instant) =>
  Effect.gen(function* () {
    const tokenRequest = runStartToken(run.contactId, services.runsPerContactAndHour, now)
    startToken.rateToken ??= yield* services.storage.takeToken(tokenRequest)
    return yield* startRefusal(startToken.rateToken, services.storage, run)
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
