import { Context, Effect, Layer } from "effect"
import { Decider } from "../../Decider.js"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import { type Draft, joinProblems } from "../../input/Draft.js"
import type { ListQuery } from "../../input/ListQuery.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { referenceProblems } from "../../workflows/definition/definitionReferences.js"
import { loadDefinitionReferences } from "../../workflows/definition/loadDefinitionReferences.js"
import type { Definition, Workflow, WorkflowVersion } from "../../workflows/Workflow.js"
import type { WorkflowCheckResource } from "../../workflows/WorkflowResource.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { ofWorkspace, type WorkspaceListQuery } from "../WorkspaceListQuery.js"
import { checkWorkflow } from "./checkWorkflow.js"
import { createWorkflow } from "./createWorkflow.js"
import { publishProblems } from "./publishProblems.js"
import { publishWorkflow } from "./publishWorkflow.js"
import { rotateWorkflowSecret } from "./rotateWorkflowSecret.js"
import { unpublishWorkflow } from "./unpublishWorkflow.js"
import { updateWorkflow } from "./updateWorkflow.js"
import type { WorkflowCheck, WorkflowInput, WorkflowPatch } from "./WorkflowInput.js"
import type { WorkflowWithSecret } from "./WorkflowWithSecret.js"

/** Administration of workflows (decisions.md §14). An unknown id is `not_found`. */
export interface AdminWorkflows {
  readonly create: (draft: Draft<WorkflowInput>) => Effect.Effect<WorkflowWithSecret, Refusal | CommitError>
  /** Refuses, with every problem at once, what could not be published. Writes nothing. */
  readonly validate: (
    draft: Draft<WorkflowCheck>
  ) => Effect.Effect<typeof WorkflowCheckResource.Type, Refusal | ReadError>
  readonly list: (query: Draft<WorkspaceListQuery>) => Effect.Effect<Listed<Workflow>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Workflow, Refusal | ReadError>
  /** Refuses another trigger for one that is published with `invalid_transition`. */
  readonly update: (id: string, draft: Draft<WorkflowPatch>) => Effect.Effect<Workflow, Refusal | CommitError>
  /** From then on, events of its name start it as it is now. */
  readonly publish: (id: string) => Effect.Effect<Workflow, Refusal | CommitError>
  /** From then on, no event starts it. */
  readonly unpublish: (id: string) => Effect.Effect<Workflow, Refusal | CommitError>
  readonly rotateSecret: (id: string) => Effect.Effect<WorkflowWithSecret, Refusal | CommitError>
  readonly listVersions: (
    id: string,
    query: Draft<ListQuery>
  ) => Effect.Effect<Listed<WorkflowVersion>, Refusal | ReadError>
}
export const AdminWorkflows = Context.GenericTag<AdminWorkflows>("@parley/core/AdminWorkflows")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { refusal } = yield* HttpSender
  const { seal } = yield* SecretBox
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "workflows", id)
  const loadWorkspace = (id: string | undefined) => readById(storage, "workspaces", id)

  /** Why a definition cannot be published, with all that it names and that is not in the workspace. */
  const problemsOf = (workspaceId: string, definition: Partial<Definition>): Effect.Effect<Problems, ReadError> =>
    Effect.map(loadDefinitionReferences(storage, workspaceId, definition), (references) =>
      joinProblems(publishProblems(definition, refusal), referenceProblems(definition, references))
    )

  const loadUpdate = (id: string) =>
    Effect.gen(function* () {
      const workflow = yield* load(id)
      if (workflow === undefined) return undefined
      return { workflow, newest: yield* readById(storage, "workflowVersions", workflow.versionId) }
    })

  const loadPublish = (id: string) =>
    Effect.gen(function* () {
      const workflow = yield* load(id)
      if (workflow === undefined) return undefined
      return { workflow, problems: yield* problemsOf(workflow.workspaceId, workflow.definition) }
    })

  return AdminWorkflows.of({
    create: (draft) =>
      decideAndCommit(loadWorkspace(draft.value.workspaceId), (workspace, now, ids) =>
        createWorkflow(workspace, { draft, seal }, now, ids)
      ),
    validate: (draft) =>
      Effect.gen(function* () {
        const workspace = yield* loadWorkspace(draft.value.workspaceId)
        const problems = workspace === undefined ? {} : yield* problemsOf(workspace.id, draft.value)
        return yield* checkWorkflow({ workspace, problems }, draft)
      }),
    list: (query) => listNewestFirst(storage, { from: "workflows", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => decideAndCommit(loadUpdate(id), (world) => updateWorkflow(world, draft)),
    publish: (id) => decideAndCommit(loadPublish(id), publishWorkflow),
    unpublish: (id) => decideAndCommit(load(id), unpublishWorkflow),
    rotateSecret: (id) =>
      decideAndCommit(load(id), (workflow, now, ids) => rotateWorkflowSecret(workflow, seal, now, ids)),
    listVersions: (id, query) =>
      Effect.gen(function* () {
        yield* found(yield* load(id))
        return yield* listNewestFirst(storage, { from: "workflowVersions", by: { workflowId: id } }, query)
      })
  })
})

export const layer: Layer.Layer<AdminWorkflows, never, Storage | Decider | HttpSender | SecretBox> = Layer.effect(
  AdminWorkflows,
  make
)
