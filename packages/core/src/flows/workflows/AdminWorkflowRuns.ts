import { Clock, Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { readNewestFirst } from "../../kernel/input/listNewestFirst.js"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import { isOver } from "../../model/Run.js"
import { type CommitError, lookup, type Page, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import { contactLookups } from "./eventContact.js"
import { missingOwner, type RunListQuery, type RunsOfWorkflowQuery } from "./RunListQuery.js"
import { retryRun } from "./retryRun.js"
import type { DryRun } from "./runs/dryRun.js"
import { explainRunJob } from "./runs/explainRunJob.js"
import { type ExplainedRun, type KnownRun, type ListedRun, listedRunColumns } from "./runs/RunResource.js"
import { Runs } from "./runs/Runs.js"
import { noSample, type SampleWorld, sampleOf } from "./sampleOf.js"
import { stopRun } from "./stopRun.js"
import type { DryRunInput } from "./WorkflowInput.js"

/**
 * Administration of the runs of workflows (docs/reference/administration.md#workflow-and-bot-administration). Unknown
 * ids fail with `not_found`.
 */
export interface AdminWorkflowRuns {
  readonly listOfWorkflow: (
    workflowId: string,
    query: PartialDecode<RunsOfWorkflowQuery>
  ) => Effect.Effect<Listed<ListedRun>, Refusal | ReadError>
  readonly list: (query: PartialDecode<RunListQuery>) => Effect.Effect<Listed<ListedRun>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<ExplainedRun, Refusal | ReadError>
  /** Simulates a run of a definition with an event. Writes, sends and calls nothing. */
  readonly dryRun: (decoded: PartialDecode<DryRunInput>) => Effect.Effect<DryRun, Refusal | ReadError>
  /** Fails with `invalid_transition` for a run that has ended. */
  readonly stop: (id: string) => Effect.Effect<ExplainedRun, Refusal | CommitError>
  /** A failed run continues with the action that failed. Fails with `invalid_transition` for any other run. */
  readonly retry: (id: string) => Effect.Effect<ExplainedRun, Refusal | CommitError>
}
export const AdminWorkflowRuns = Context.GenericTag<AdminWorkflowRuns>("@parley/core/AdminWorkflowRuns")

export const make = Effect.gen(function* () {
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

  const loadSample = (decoded: PartialDecode<DryRunInput>): Effect.Effect<SampleWorld, ReadError> =>
    Effect.gen(function* () {
      const { applicationId, contactId, workspaceId } = decoded.value
      if (workspaceId === undefined) return noSample
      const { addresses, applications, contacts, endpoints, workspaces } = yield* storage.read({
        ...subscriberLookups(workspaceId),
        ...contactLookups(workspaceId, decoded),
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

  const get = (id: string): Effect.Effect<ExplainedRun, Refusal | ReadError> =>
    Effect.gen(function* () {
      // The job first: the job of a run that ends in between is not taken for a missing one.
      const job = yield* readById(storage, "jobs", id)
      const known = yield* orNotFound(yield* load(id))
      const shown = job === undefined || isOver(known.run) ? null : explainRunJob(job, yield* Clock.currentTimeMillis)
      return { ...known, job: shown }
    })

  return AdminWorkflowRuns.of({
    listOfWorkflow: (workflowId, query) =>
      Effect.gen(function* () {
        yield* orNotFound(yield* readById(storage, "workflows", workflowId))
        const { contactId, status } = query.value
        return yield* readNewestFirst(read, { from: "workflowRuns", by: { workflowId, contactId, status } }, query)
      }),
    list: (query) => {
      const { contactId, status, workspaceId } = query.value
      const problems = joinProblems(query.problems, missingOwner(query.value))
      const by = { workspaceId, contactId, status }
      return readNewestFirst(read, { from: "workflowRuns", by }, { ...query, problems })
    },
    get,
    dryRun: (decoded) =>
      Effect.flatMap(loadSample(decoded), (world) => Effect.flatMap(sampleOf(world, decoded), runs.dryRun)),
    stop: (id) => Effect.map(decideAndCommit(load(id), stopRun), (known) => ({ ...known, job: null })),
    retry: (id) => Effect.zipRight(decideAndCommit(readById(storage, "workflowRuns", id), retryRun), get(id))
  })
})
