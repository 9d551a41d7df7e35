import { Effect, Either } from "effect"
import { refuse } from "../../../errors/Refusal.js"
import type { Assign } from "../../../model/Action.js"
import { loadConversationUpdate } from "../../agentReplies/loadConversationUpdate.js"
import { updateConversation } from "../../agentReplies/updateConversation.js"
import type { Prepare } from "../runs/RunScope.js"
import { newestConversation } from "./newestConversation.js"

/** Assigns the contact's newest conversation to an agent, a team or both. */
export const assign: Prepare<Assign> = ({ providers, storage }, first, { agentId, teamId }) =>
  Effect.gen(function* () {
    const conversation = yield* newestConversation(storage, first)
    if (conversation === undefined) {
      return () => Either.left(refuse("not_found", {}, "The contact has no conversation that could be assigned."))
    }
    const assignment = {
      ...(agentId === null ? {} : { assignedUserId: agentId }),
      ...(teamId === null ? {} : { assignedTeamId: teamId })
    }
    const world = yield* loadConversationUpdate(storage, providers, conversation, assignment)
    return ({ subscribers }, now, ids) =>
      Either.map(
        updateConversation({ ...world, subscribers }, { value: assignment, problems: {} }, now, ids),
        ({ changes }) => ({
          parts: changes === null ? [] : [changes],
          detail: `assigned the conversation ${conversation.id} to ${[agentId, teamId].filter((id) => id !== null).join(" and ")}`,
          rereads: true
        })
      )
  })
