import { Clock, Data, Effect } from "effect"
import { whileSuspended } from "../../access/Workspace.js"
import { whileMerged } from "../../contacts/contactJob.js"
import { subscriberLookups } from "../../events/Outbox.js"
import type { Instant } from "../../Instant.js"
import { type Drawn, lookupById, type ReadError, readById } from "../../ports/Storage.js"
import type { Job } from "../../worker/Job.js"
import { prepare } from "../actions/prepare.js"
import { loadFacts } from "../conditions/loadFacts.js"
import type { Definition } from "../Workflow.js"
import { actionsAhead } from "./actionsAhead.js"
import type { RunWorld } from "./advanceRun.js"
import { refusedBy, runDraw } from "./drawRun.js"
import { hasBegun, type Run } from "./Run.js"
import type { Prepared, RunMeans, RunScope } from "./RunScope.js"
import { runPayload } from "./runJob.js"

/** What is found of a run whose job is due. */
export type Found = Data.TaggedEnum<{
  Ready: { readonly world: RunWorld }
  /** It waits, for a reason that is not its own. */
  Held: { readonly until: Instant }
  /** It was erased with its contact. */
  Gone: Record<never, never>
}>
export const Found = Data.taggedEnum<Found>()

/** A run with all that surrounds it, before its next actions read what they need. */
export interface FoundRun {
  readonly scope: RunScope
  readonly definition: Definition
}

/** What a run drew to begin; kept however often its commit is lost to other runs of the contact, which would else lose theirs. */
export interface Begin {
  drawn: Drawn | null
}

/**
 * Reads a run, and what its next actions need, in a few batches. `answered`: what a call of the action at hand came to.
 */
export const loadRun = (
  means: RunMeans,
  job: Job,
  answered: RunWorld["answered"],
  begin: Begin
): Effect.Effect<Found, ReadError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { contactId, versionId } = runPayload(job)
    const { applications, contacts, endpoints, runs, versions, workspaces } = yield* readRun(means, job, begin, now)
    const [run] = runs
    const [workspace] = workspaces
    const definition = means.definitions.get(versionId) ?? versions[0]?.definition
    const application = applications.find(({ id }) => id === run?.applicationId)
    if (run === undefined || definition === undefined || application === undefined) return Found.Gone()
    means.definitions.set(versionId, definition)
    if (workspace?.status !== "active") return Found.Held({ until: now + whileSuspended })
    const contact =
      run.contactId === contactId ? contacts[0] : yield* readById(means.storage, "contacts", run.contactId)
    // A contact that was folded into another one gives its runs to that one in a moment; an erased one takes them along.
    if (contact === undefined) return Found.Held({ until: now + whileMerged })
    const scope: RunScope = { run, workspace, application, contact, subscribers: { applications, endpoints } }
    const refused = hasBegun(run) || answered !== null ? null : yield* refusedBegin(means, run, begin, now)
    const world = yield* loadWorld(means, { scope, definition }, answered, now)
    return Found.Ready({ world: { ...world, refused } })
  })

/** A run that was never put off is about to begin, and draws with the same question. */
const readRun = (means: RunMeans, job: Job, begin: Begin, now: Instant) => {
  const { contactId, settled, versionId } = runPayload(job)
  const lookups = {
    ...subscriberLookups(job.workspaceId),
    runs: lookupById("workflowRuns", job.reference),
    contacts: lookupById("contacts", contactId),
    versions: means.definitions.get(versionId) === undefined ? lookupById("workflowVersions", versionId) : null,
    workspaces: lookupById("workspaces", job.workspaceId)
  }
  if (settled !== undefined || begin.drawn !== null) return means.storage.read(lookups)
  const draw = runDraw(contactId, means.runsPerContactAndHour, now)
  return Effect.map(means.storage.readAndTakeToken(lookups, draw), ({ drawn, found }) => {
    begin.drawn = drawn
    return found
  })
}

const refusedBegin = (means: RunMeans, run: Run, begin: Begin, now: Instant) =>
  Effect.gen(function* () {
    const draw = runDraw(run.contactId, means.runsPerContactAndHour, now)
    begin.drawn ??= yield* means.storage.takeToken(draw)
    return yield* refusedBy(begin.drawn, means.storage, run)
  })

/** Reads what the next actions of a run need, and what their conditions ask for. */
export const loadWorld = (
  means: RunMeans,
  { definition, scope }: FoundRun,
  answered: RunWorld["answered"],
  now: Instant
): Effect.Effect<RunWorld, ReadError> =>
  Effect.gen(function* () {
    const { run } = scope
    const ahead = actionsAhead(definition, run, answered, now)
    const conditions = [
      ...(hasBegun(run) || answered !== null ? [] : [definition.conditions]),
      ...ahead.map(([, action]) => action.if)
    ].filter((condition) => condition !== null)
    // One after the other: each read shares its statement with those of other runs, and what goes on at once costs a fiber each.
    const facts = yield* loadFacts(means.storage, scope, conditions)
    const messageId = run.pending?.messageId ?? null
    const message = messageId === null ? undefined : yield* readById(means.storage, "messages", messageId)
    const prepared = yield* Effect.forEach(ahead, ([position, action]) => prepareOne(means, scope, position, action))
    return { scope, definition, facts, prepared: new Map(prepared.flat()), message, answered, refused: null }
  })

const prepareOne = (
  means: RunMeans,
  scope: RunScope,
  position: number,
  action: Definition["actions"][number]
): Effect.Effect<ReadonlyArray<readonly [number, Prepared]>, ReadError> => {
  const reading = prepare(means, scope, action)
  return reading === null ? Effect.succeed([]) : Effect.map(reading, (prepared) => [[position, prepared]])
}
