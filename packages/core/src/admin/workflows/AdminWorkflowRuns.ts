import { Context, Effect, Layer } from "effect"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { subscriberLookups } from "../../events/Outbox.js"
import type { Listed } from "../../input/CursorList.js"
import { type Draft, joinProblems } from "../../input/Draft.js"
import { type CommitError, lookup, type Page, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { contactLookups } from "../../workflows/eventContact.js"
import type { DryRun } from "../../workflows/runs/dryRun.js"
import { type KnownRun, type ListedRun, listedRunColumns } from "../../workflows/runs/RunResource.js"
import { Runs } from "../../workflows/runs/Runs.js"
import { found } from "../found.js"
import { readNewestFirst } from "../listNewestFirst.js"
import { missingOwner, type RunListQuery, type RunsOfWorkflowQuery } from "./RunListQuery.js"
import { noSample, type SampleWorld, sampleOf } from "./sampleOf.js"
import { stopRun } from "./stopRun.js"
import type { DryRunInput } from "./WorkflowInput.js"

/** Administration of the runs of workflows (decisions.md §14). An unknown id is `not_found`. */
export interface AdminWorkflowRuns {
  readonly listOfWorkflow: (
    workflowId: string,
    query: Draft<RunsOfWorkflowQuery>
  ) => Effect.Effect<Listed<ListedRun>, Refusal | ReadError>
  readonly list: (query: Draft<RunListQuery>) => Effect.Effect<Listed<ListedRun>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<KnownRun, Refusal | ReadError>
  /** What a run of this definition by this event would come to; nothing is written, sent or called. */
  readonly dryRun: (draft: Draft<DryRunInput>) => Effect.Effect<DryRun, Refusal | ReadError>
  /** Refuses one that is over with `invalid_transition`. */
  readonly stop: (id: string) => Effect.Effect<KnownRun, Refusal | CommitError>
}
export const AdminWorkflowRuns = Context.GenericTag<AdminWorkflowRuns>("@parley/core/AdminWorkflowRuns")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider
  const runs = yield* Runs

  const read = (page: Page<"workflowRuns">) => storage.listColumns(page, listedRunColumns)

  const load = (id: string): Effect.Effect<KnownRun | undefined, ReadError> =>
    Effect.gen(function* () {
      const run = yield* readById(storage, "workflowRuns", id)
      const version = run && (yield* readById(storage, "workflowVersions", run.versionId))
      return run && version && { run, version }
    })

  const loadSample = (draft: Draft<DryRunInput>): Effect.Effect<SampleWorld, ReadError> =>
    Effect.gen(function* () {
      const { applicationId, contactId, workspaceId } = draft.value
      if (workspaceId === undefined) return noSample
      const { addresses, applications, contacts, endpoints, workspaces } = yield* storage.read({
        ...subscriberLookups(workspaceId),
        ...contactLookups(workspaceId, draft),
        workspaces: lookup("workspaces", { id: workspaceId })
      })
      const [address] = addresses
      return {
        workspace: workspaces[0],
        application: applications.find(({ id }) => id === applicationId),
        subscribers: { endpoints, applications },
        contact: contactId == null ? yield* readById(storage, "contacts", address?.contactId) : contacts[0],
        address
      }
    })

  return AdminWorkflowRuns.of({
    listOfWorkflow: (workflowId, query) =>
      Effect.gen(function* () {
        yield* found(yield* readById(storage, "workflows", workflowId))
        const { contactId, status } = query.value
        return yield* readNewestFirst(read, { from: "workflowRuns", by: { workflowId, contactId, status } }, query)
      }),
    list: (query) => {
      const { contactId, status, workspaceId } = query.value
      const problems = joinProblems(query.problems, missingOwner(query.value))
      const by = { workspaceId, contactId, status }
      return readNewestFirst(read, { from: "workflowRuns", by }, { ...query, problems })
    },
    get: (id) => Effect.flatMap(load(id), found),
    dryRun: (draft) =>
      Effect.flatMap(loadSample(draft), (world) => Effect.flatMap(sampleOf(world, draft), runs.dryRun)),
    stop: (id) => decideAndCommit(load(id), stopRun)
  })
})

export const layer: Layer.Layer<AdminWorkflowRuns, never, Storage | Decider | Runs> = Layer.effect(
  AdminWorkflowRuns,
  make
)
