import { Either } from "effect"
import type { Agent } from "../../agents/Agent.js"
import type { Team } from "../../agents/Team.js"
import type { Bot } from "../../bots/Bot.js"
import type { Connection } from "../../channels/Connection.js"
import type { CustomField } from "../../contacts/Contact.js"
import type { Problems } from "../../errors/Refusal.js"
import { joinProblems } from "../../input/Draft.js"
import type { Pipeline } from "../../leads/Pipeline.js"
import { placeOf, stageProblems } from "../../leads/stages.js"
import type { Template } from "../../templates/Template.js"
import type { Definition } from "../Workflow.js"
import type { Action } from "./Action.js"
import { contactFieldProblems } from "./contactFieldProblems.js"
import { connectionProblems, templateProblems } from "./sendProblems.js"
import { type Test, testsOf } from "./testsOf.js"

/** What a definition names, as far as the workspace has it. */
export interface DefinitionReferences {
  /** Of the workspace. */
  readonly defaultLanguage: string | null
  readonly connections: ReadonlyArray<Connection>
  readonly templates: ReadonlyArray<Template>
  readonly agents: ReadonlyArray<Agent>
  readonly teams: ReadonlyArray<Team>
  readonly pipelines: ReadonlyArray<Pipeline>
  readonly bots: ReadonlyArray<Bot>
  readonly customFields: ReadonlyArray<CustomField>
}

/**
 * What a definition names that its workspace does not have, by path in wire names: found when it is checked and published, so
 * that no run has to. Of one that could not be read as a whole, what could.
 */
export const referenceProblems = (definition: Partial<Definition>, world: DefinitionReferences): Problems =>
  [
    ...testsOf(definition).map(({ path, test }) => within(path, testProblems(test, world))),
    ...(definition.actions ?? []).map((action, position) =>
      within(`actions.${position}`, actionProblems(action, world))
    )
  ].reduce(joinProblems, {})

/** The problems of the fields of an object, by their names from outside of it; the empty name is the object's own. */
const within = (path: string, problems: Problems): Problems =>
  Object.fromEntries(
    Object.entries(problems).map(([field, words]) => [field === "" ? path : `${path}.${field}`, words])
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

/** Of every value that a test compares with, whether it is one that there is. */
const eachNamed = (
  operators: { readonly [operator: string]: string | ReadonlyArray<string> | undefined },
  isThere: (name: string) => boolean,
  words: string
): Problems =>
  Object.fromEntries(
    Object.entries(operators).flatMap(([operator, wanted]) => {
      const named =
        typeof wanted === "string"
          ? [[operator, wanted] as const]
          : (wanted ?? []).map((one, index) => [`${operator}.${index}`, one] as const)
      return named.filter(([, one]) => !isThere(one)).map(([path]) => [path, [words]] as const)
    })
  )

const actionProblems = (action: Action, world: DefinitionReferences): Problems => {
  switch (action.type) {
    case "send_message":
      return { ...connectionProblems(action, action.channel, world), ...templateProblems(action, world) }
    case "send_email":
      return connectionProblems(action, "email", world)
    case "update_contact":
      return within("contact", contactFieldProblems(action.contact, world.customFields))
    case "create_lead": {
      const place = placeOf(action, world.pipelines)
      return Either.isLeft(place) ? place.left : {}
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

/** Without a pipeline it is that of the contact's newest lead, which may be in any. */
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
