import { Context, Effect } from "effect"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import type { ListQuery } from "../../kernel/input/ListQuery.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import { ofWorkspace, type WorkspaceListQuery } from "../../kernel/input/WorkspaceListQuery.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Definition, Workflow, WorkflowVersion } from "../../model/Workflow.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { checkWorkflow } from "./checkWorkflow.js"
import { createWorkflow } from "./createWorkflow.js"
import { channelProblems, referenceProblems } from "./definition/definitionReferences.js"
import { loadDefinitionReferences } from "./definition/loadDefinitionReferences.js"
import { openDefinition, withOpenDefinition } from "./definition/sealedUrls.js"
import { publishProblems } from "./publishProblems.js"
import { publishWorkflow } from "./publishWorkflow.js"
import { rotateWorkflowSecret } from "./rotateWorkflowSecret.js"
import { unpublishWorkflow } from "./unpublishWorkflow.js"
import { updateWorkflow } from "./updateWorkflow.js"
import type { WorkflowCheck, WorkflowInput, WorkflowPatch } from "./WorkflowInput.js"
import type { WorkflowCheckResource } from "./WorkflowResource.js"
import type { WorkflowWithSecret } from "./WorkflowWithSecret.js"

/**
 * Administration of workflows (docs/reference/administration.md#workflow-and-bot-administration). Unknown ids fail with
 * `not_found`.
 */
export interface AdminWorkflows {
  readonly create: (decoded: PartialDecode<WorkflowInput>) => Effect.Effect<WorkflowWithSecret, Refusal | CommitError>
  /** Checks whether a definition could be published; fails with all problems. Writes nothing. */
  readonly validate: (
    decoded: PartialDecode<WorkflowCheck>
  ) => Effect.Effect<typeof WorkflowCheckResource.Type, Refusal | ReadError>
  readonly list: (query: PartialDecode<WorkspaceListQuery>) => Effect.Effect<Listed<Workflow>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Workflow, Refusal | ReadError>
  /** Fails with `invalid_transition` if the trigger of a published workflow would change. */
  readonly update: (id: string, decoded: PartialDecode<WorkflowPatch>) => Effect.Effect<Workflow, Refusal | CommitError>
  /** Publishes the present definition: events with its name start runs of it. */
  readonly publish: (id: string) => Effect.Effect<Workflow, Refusal | CommitError>
  /** Events no longer start runs. */
  readonly unpublish: (id: string) => Effect.Effect<Workflow, Refusal | CommitError>
  readonly rotateSecret: (id: string) => Effect.Effect<WorkflowWithSecret, Refusal | CommitError>
  readonly listVersions: (
    id: string,
    query: PartialDecode<ListQuery>
  ) => Effect.Effect<Listed<WorkflowVersion>, Refusal | ReadError>
}
export const AdminWorkflows = Context.GenericTag<AdminWorkflows>("@parley/core/AdminWorkflows")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { refusal } = yield* HttpSender
  const secretBox = yield* SecretBox
  const { seal } = secretBox
  const { decideAndCommit } = yield* Decider
  const providers = yield* ChannelProviders
  const { channels } = providers

  const load = (id: string) => readById(storage, "workflows", id)
  const loadWorkspace = (id: string | undefined) => readById(storage, "workspaces", id)

  /** All problems that prevent publishing, including references that the workspace does not have. */
  const problemsOf = (workspaceId: string, definition: Partial<Definition>): Effect.Effect<Problems, ReadError> =>
    Effect.map(loadDefinitionReferences(storage, providers, workspaceId, definition), (references) =>
      joinProblems(publishProblems(definition, refusal), referenceProblems(definition, references))
    )

  /** Adds the problems of the channels that it names. */
  const withChannels = <A>(decoded: PartialDecode<A> & { readonly value: Partial<Definition> }): PartialDecode<A> => ({
    ...decoded,
    problems: joinProblems(decoded.problems, channelProblems(decoded.value, channels))
  })

  const loadUpdate = (id: string) =>
    Effect.gen(function* () {
      const workflow = yield* load(id)
      if (workflow === undefined) return undefined
      const newest = yield* readById(storage, "workflowVersions", workflow.versionId)
      return {
        workflow,
        definition: yield* openDefinition(secretBox, workflow.definition),
        newest: newest === undefined ? undefined : yield* openDefinition(secretBox, newest.definition)
      }
    })

  const loadPublish = (id: string) =>
    Effect.gen(function* () {
      const workflow = yield* load(id)
      if (workflow === undefined) return undefined
      return {
        workflow,
        problems: yield* problemsOf(workflow.workspaceId, yield* openDefinition(secretBox, workflow.definition))
      }
    })

  const open = <A extends { readonly definition: Definition }>(row: A) => withOpenDefinition(secretBox, row)
  const openWithSecret = ({ secret, workflow }: WorkflowWithSecret) =>
    Effect.map(open(workflow), (workflow): WorkflowWithSecret => ({ workflow, secret }))
  const openPage = <A extends { readonly definition: Definition }>(page: Listed<A>) =>
    Effect.map(Effect.forEach(page.rows, open), (rows): Listed<A> => ({ ...page, rows }))

  return AdminWorkflows.of({
    create: (decoded) =>
      decideAndCommit(loadWorkspace(decoded.value.workspaceId), (workspace, now, ids) =>
        createWorkflow(workspace, { decoded: withChannels(decoded), seal }, now, ids)
      ).pipe(Effect.flatMap(openWithSecret)),
    validate: (decoded) =>
      Effect.gen(function* () {
        const workspace = yield* loadWorkspace(decoded.value.workspaceId)
        const problems = workspace === undefined ? {} : yield* problemsOf(workspace.id, decoded.value)
        return yield* checkWorkflow({ workspace, problems }, decoded)
      }),
    list: (query) =>
      Effect.flatMap(listNewestFirst(storage, { from: "workflows", by: ofWorkspace(query) }, query), openPage),
    get: (id) => Effect.flatMap(Effect.flatMap(load(id), orNotFound), open),
    update: (id, decoded) =>
      decideAndCommit(loadUpdate(id), (world) => updateWorkflow(world, { decoded: withChannels(decoded), seal })).pipe(
        Effect.flatMap(open)
      ),
    publish: (id) => Effect.flatMap(decideAndCommit(loadPublish(id), publishWorkflow), open),
    unpublish: (id) => Effect.flatMap(decideAndCommit(load(id), unpublishWorkflow), open),
    rotateSecret: (id) =>
      decideAndCommit(load(id), (workflow, now, ids) => rotateWorkflowSecret(workflow, seal, now, ids)).pipe(
        Effect.flatMap(openWithSecret)
      ),
    listVersions: (id, query) =>
      Effect.gen(function* () {
        yield* orNotFound(yield* load(id))
        return yield* openPage(
          yield* listNewestFirst(storage, { from: "workflowVersions", by: { workflowId: id } }, query)
        )
      })
  })
})
