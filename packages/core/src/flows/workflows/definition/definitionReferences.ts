import { Either } from "effect"
import type { Problems } from "../../../errors/Refusal.js"
import { joinProblems } from "../../../kernel/input/PartialDecode.js"
import type { Action } from "../../../model/Action.js"
import type { Agent } from "../../../model/Agent.js"
import type { Bot } from "../../../model/Bot.js"
import { type Capabilities, type Channel, type Channels, channelProblem } from "../../../model/Channel.js"
import type { Connection } from "../../../model/Connection.js"
import type { CustomField } from "../../../model/Contact.js"
import type { Pipeline } from "../../../model/Pipeline.js"
import type { SetTest } from "../../../model/RunCondition.js"
import type { Team } from "../../../model/Team.js"
import type { Template } from "../../../model/Template.js"
import type { Definition } from "../../../model/Workflow.js"
import { resolveStage, stageProblems } from "../../../resources/leads/stages.js"
import { contactFieldProblems } from "./contactFieldProblems.js"
import { connectionProblems, receiptProblems, sendChannelProblems, templateProblems } from "./sendProblems.js"
import { type Test, testsOf } from "./testsOf.js"

/** The rows of the workspace that a definition references; rows that do not exist are missing. */
export interface DefinitionReferences {
  /** Default language of the workspace. */
  readonly defaultLanguage: string | null
  /** The channels of the host. */
  readonly channels: Channels
  /** All of the workspace if an action waits for a receipt, else those that actions name. */
  readonly connections: ReadonlyArray<Connection>
  /** Undefined if this host does not have the connection's provider. */
  readonly capabilities: (connection: Connection) => Capabilities | undefined
  readonly templates: ReadonlyArray<Template>
  readonly agents: ReadonlyArray<Agent>
  readonly teams: ReadonlyArray<Team>
  readonly pipelines: ReadonlyArray<Pipeline>
  readonly bots: ReadonlyArray<Bot>
  readonly customFields: ReadonlyArray<CustomField>
}

/**
 * References of a definition that do not exist in its workspace, by wire path. They are checked when the definition is
 * validated and published. Of an invalid definition, the readable part is checked.
 */
export const referenceProblems = (definition: Partial<Definition>, world: DefinitionReferences): Problems =>
  [
    channelProblems(definition, world.channels),
    ...testsOf(definition).map(({ path, test }) => within(path, testProblems(test, world))),
    ...(definition.actions ?? []).map((action, position) =>
      within(`actions.${position}`, actionProblems(action, world))
    )
  ].reduce(joinProblems, {})

/**
 * Problems of the channels that a definition names, by wire path. They are checked whenever the definition is written.
 */
export const channelProblems = (definition: Partial<Definition>, channels: Channels): Problems =>
  [
    ...testsOf(definition).map(({ path, test }) =>
      "channel" in test ? within(`${path}.channel`, testedChannelProblems(test.channel, channels)) : {}
    ),
    ...(definition.actions ?? []).map((action, position) =>
      action.type === "send_message" ? within(`actions.${position}`, sendChannelProblems(action, channels)) : {}
    )
  ].reduce(joinProblems, {})

const testedChannelProblems = ({ has, hasAnyOf, hasNot, hasNoneOf }: SetTest<Channel>, channels: Channels): Problems =>
  eachNamed(
    { has, has_not: hasNot, has_any_of: hasAnyOf, has_none_of: hasNoneOf },
    (name) => channelProblem(channels, name) === null,
    `must be one of ${channels.map(({ name }) => name).join(", ")}`
  )

/** Prefixes the fields of problems with a path. The empty field is the object itself. */
const within = (path: string, problems: Problems): Problems =>
  Object.fromEntries(
    Object.entries(problems).map(([field, message]) => [field === "" ? path : `${path}.${field}`, message])
  )

const missing = (field: string, what: string, isThere: boolean): Problems =>
  isThere ? {} : { [field]: [`must be ${what} of this workspace`] }

const testProblems = (test: Test, world: DefinitionReferences): Problems => {
  if ("assignedAgent" in test) {
    const { is, isNoneOf, isNot, isOneOf } = test.assignedAgent
    const wanted = { is, is_not: isNot, is_one_of: isOneOf, is_none_of: isNoneOf }
    return within(
      "assigned_agent",
      eachNamed(
        wanted,
        (id) => world.agents.some((agent) => agent.id === id),
        "must be the id of an agent of this workspace"
      )
    )
  }
  if ("pipelineStage" in test) {
    const { is, isNoneOf, isNot, isOneOf, pipelineId } = test.pipelineStage
    const pipelines = world.pipelines.filter(({ id }) => pipelineId === undefined || id === pipelineId)
    if (pipelineId !== undefined && pipelines.length === 0) {
      return within("pipeline_stage", missing("pipeline_id", "the id of a pipeline", false))
    }
    const isStage = (key: string) => pipelines.some(({ stages }) => stages.some((stage) => stage.key === key))
    const wanted = { is, is_not: isNot, is_one_of: isOneOf, is_none_of: isNoneOf }
    return within("pipeline_stage", eachNamed(wanted, isStage, "must be the key of a stage of the pipeline"))
  }
  return {}
}

/** A problem for each value of a test's operators that does not exist, by operator and index. */
const eachNamed = (
  operators: { readonly [operator: string]: string | ReadonlyArray<string> | undefined },
  isThere: (name: string) => boolean,
  message: string
): Problems =>
  Object.fromEntries(
    Object.entries(operators).flatMap(([operator, wanted]) => {
      const named =
        typeof wanted === "string"
          ? [[operator, wanted] as const]
          : (wanted ?? []).map((one, index) => [`${operator}.${index}`, one] as const)
      return named.filter(([, one]) => !isThere(one)).map(([path]) => [path, [message]] as const)
    })
  )

const actionProblems = (action: Action, world: DefinitionReferences): Problems => {
  switch (action.type) {
    case "send_message":
      return {
        ...connectionProblems(action, action.channel, world),
        ...receiptProblems(action, action.channel, world),
        ...templateProblems(action, world)
      }
    case "send_email":
      return { ...connectionProblems(action, "email", world), ...receiptProblems(action, "email", world) }
    case "update_contact":
      return within("contact", contactFieldProblems(action.contact, world.customFields))
    case "create_lead": {
      const pipelineStage = resolveStage(action, world.pipelines)
      return Either.isLeft(pipelineStage) ? pipelineStage.left : {}
    }
    case "update_lead":
      return stageToMoveTo(action, world.pipelines)
    case "assign":
    case "create_task": {
      const { agentId, teamId } = action
      const isActive = world.agents.some(({ id, status }) => id === agentId && status === "active")
      return {
        ...missing("agent_id", "the id of an active agent", agentId === null || isActive),
        ...missing("team_id", "the id of a team", teamId === null || world.teams.some(({ id }) => id === teamId))
      }
    }
    case "start_bot":
      return missing(
        "bot_id",
        "the id of a bot",
        world.bots.some(({ id }) => id === action.botId)
      )
    case "add_tag":
    case "remove_tag":
    case "notify":
    case "call_webhook":
    case "wait":
      return {}
  }
}

/** Without `pipeline_id`, the contact's newest lead may be in any pipeline, so the stage must exist in one of them. */
const stageToMoveTo = (
  { pipelineId, stage }: Extract<Action, { readonly type: "update_lead" }>,
  pipelines: ReadonlyArray<Pipeline>
): Problems => {
  const pipeline = pipelines.find(({ id }) => id === pipelineId)
  if (pipelineId !== null && pipeline === undefined) return missing("pipeline_id", "the id of a pipeline", false)
  return pipelines
    .filter(({ id }) => pipelineId === null || id === pipelineId)
    .some((one) => Object.keys(stageProblems(stage, one)).length === 0)
    ? {}
    : stageProblems(stage, undefined)
}
