import { Effect } from "effect"
import type { Action } from "../../../model/Action.js"
import type { Channels } from "../../../model/Channel.js"
import type { ValueTest } from "../../../model/RunCondition.js"
import type { Definition } from "../../../model/Workflow.js"
import type { ChannelProviders } from "../../../ports/ChannelProvider.js"
import { lookup, type ReadError, type Storage } from "../../../ports/Storage.js"
import type { DefinitionReferences } from "./definitionReferences.js"
import { channelsOf } from "./sendProblems.js"
import { testsOf } from "./testsOf.js"

/** Loads the rows that a definition references. Of an invalid definition, those of the readable part. */
export const loadDefinitionReferences = (
  storage: Pick<Storage, "read">,
  { byKind, channels }: Pick<ChannelProviders, "byKind" | "channels">,
  workspaceId: string,
  definition: Partial<Definition>
): Effect.Effect<DefinitionReferences, ReadError> => {
  const { actions = [] } = definition
  const tests = testsOf(definition).map(({ test }) => test)
  const agentsTested = tests.flatMap((test) => ("assignedAgent" in test ? valuesOf(test.assignedAgent) : []))
  const needsPipelines =
    tests.some((test) => "pipelineStage" in test) || actions.some(({ type }) => /^(create|update)_lead$/.test(type))
  const needsCustomFields = actions.some(
    (action) => action.type === "update_contact" && "custom_fields" in action.contact
  )
  const assignees = actions.flatMap((action) =>
    action.type === "assign" || action.type === "create_task" ? [action] : []
  )
  const agents = [...agentsTested, ...assignees.map(({ agentId }) => agentId)]
  const teams = assignees.map(({ teamId }) => teamId)
  const bots = actions.map((action) => (action.type === "start_bot" ? action.botId : null))
  const waitsForReceipt = actions.some(
    (action) => "wanted" in action && action.wanted !== null && action.wanted.status !== "sent"
  )
  const connections = actions.map((action) => ("connectionId" in action ? action.connectionId : null))
  const byId = <T>(ids: ReadonlyArray<string | null>, one: (id: string) => T): { readonly [id: string]: T } =>
    Object.fromEntries(ids.flatMap((id) => (id === null ? [] : [[id, one(id)]])))
  return Effect.map(
    Effect.all(
      [
        storage.read({
          workspaces: lookup("workspaces", { id: workspaceId }),
          pipelines: needsPipelines ? lookup("pipelines", { workspaceId }) : null,
          customFields: needsCustomFields ? lookup("customFields", { workspaceId }) : null
        }),
        storage.read(byId(agents, (id) => lookup("agents", { id, workspaceId }))),
        storage.read(byId(teams, (id) => lookup("teams", { id, workspaceId }))),
        storage.read(byId(bots, (id) => lookup("bots", { id, workspaceId }))),
        storage.read(
          waitsForReceipt
            ? { all: lookup("connections", { workspaceId }) }
            : byId(connections, (id) => lookup("connections", { id, workspaceId }))
        ),
        storage.read(
          Object.fromEntries(
            actions
              .flatMap((action) => templatesOf(action, channels))
              .map((template) => [JSON.stringify(template), lookup("templates", { workspaceId, ...template })])
          )
        )
      ],
      { concurrency: "unbounded" }
    ),
    ([{ customFields, pipelines, workspaces }, agents, teams, bots, connections, templates]) => ({
      defaultLanguage: workspaces[0]?.defaultLanguage ?? null,
      channels,
      capabilities: (connection) => byKind.get(connection.provider)?.capabilities(connection),
      pipelines,
      customFields,
      agents: Object.values(agents).flat(),
      teams: Object.values(teams).flat(),
      bots: Object.values(bots).flat(),
      connections: Object.values(connections).flat(),
      templates: Object.values(templates).flat()
    })
  )
}

/** The values that a test compares with. */
const valuesOf = ({ is, isNoneOf, isNot, isOneOf }: ValueTest): ReadonlyArray<string> =>
  [is ?? [], isNot ?? [], isOneOf ?? [], isNoneOf ?? []].flat()

/** The templates that an action may send, one per possible channel. */
const templatesOf = (action: Action, channels: Channels) => {
  if (action.type !== "send_message" || action.content.type !== "template") return []
  const name = action.content.template
  return channelsOf(action, channels).map((channel) => ({ name, channel }))
}
