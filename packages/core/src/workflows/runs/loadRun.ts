import { Clock, Data, Effect } from "effect"
import { subscriberLookups } from "../../events/Outbox.js"
import { type Instant, minute, second } from "../../Instant.js"
import { lookupById, type ReadError, readById } from "../../ports/Storage.js"
import type { Job } from "../../worker/Job.js"
import { prepare } from "../actions/prepare.js"
import { loadFacts } from "../conditions/loadFacts.js"
import type { Definition } from "../Workflow.js"
import { actionsAhead } from "./actionsAhead.js"
import type { RunWorld } from "./advanceRun.js"
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

/** Whether a run may begin; else why not. */
export type Draw = (run: Run) => Effect.Effect<RunWorld["refused"], ReadError>

/** How long a run waits whose workspace is suspended (decisions.md §9), or whose contact is just being merged. */
const whileSuspended = minute
const whileMerged = 10 * second

/**
 * Reads a run, and what its next actions need, in a few batches. `answered`: what a call of the action at hand came to.
 */
export const loadRun = (
  means: RunMeans,
  job: Job,
  answered: RunWorld["answered"],
  draw: Draw
): Effect.Effect<Found, ReadError> =>
  Effect.gen(function* () {
    const { contactId, versionId } = runPayload(job)
    const known = means.definitions.get(versionId)
    const { applications, contacts, endpoints, runs, versions, workspaces } = yield* means.storage.read({
      ...subscriberLookups(job.workspaceId),
      runs: lookupById("workflowRuns", job.reference),
      contacts: lookupById("contacts", contactId),
      versions: known === undefined ? lookupById("workflowVersions", versionId) : null,
      workspaces: lookupById("workspaces", job.workspaceId)
    })
    const [run] = runs
    const [workspace] = workspaces
    const now = yield* Clock.currentTimeMillis
    const definition = known ?? versions[0]?.definition
    const application = applications.find(({ id }) => id === run?.applicationId)
    if (run === undefined || definition === undefined || application === undefined) return Found.Gone()
    if (known === undefined) means.definitions.set(versionId, definition)
    if (workspace?.status !== "active") return Found.Held({ until: now + whileSuspended })
    const contact =
      run.contactId === contactId ? contacts[0] : yield* readById(means.storage, "contacts", run.contactId)
    // A contact that was folded into another one gives its runs to that one in a moment; an erased one takes them along.
    if (contact === undefined) return Found.Held({ until: now + whileMerged })
    const scope: RunScope = { run, workspace, application, contact, subscribers: { applications, endpoints } }
    const refused = hasBegun(run) || answered !== null ? null : yield* draw(run)
    const world = yield* loadWorld(means, { scope, definition }, answered, now)
    return Found.Ready({ world: { ...world, refused } })
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
