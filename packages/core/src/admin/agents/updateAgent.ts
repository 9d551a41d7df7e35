import { Either } from "effect"
import type { Agent } from "../../agents/Agent.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changeProblems } from "../../input/Patch.js"
import { changes, expect, set } from "../../ports/Changes.js"
import { found } from "../found.js"
import type { AgentPatch } from "./AgentInput.js"

/** `PATCH /agents/{id}`: name, email and status. */
export const updateAgent = (
  present: Agent | undefined,
  draft: Draft<AgentPatch>
): Either.Either<Decision<Agent>, Refusal> =>
  Either.gen(function* () {
    const agent = yield* found(present)
    const { id, workspaceId, version } = agent
    const { email, name, status } = yield* complete(
      draft,
      changeProblems({ workspace_id: [workspaceId, draft.value.workspaceId] })
    )
    const values: Partial<Agent> = {
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
      ...(status === undefined ? {} : { status })
    }
    if (Object.keys(values).length === 0) return { changes: null, result: agent }
    return {
      changes: changes(workspaceId, {
        expects: [expect("agents", { id }, { version })],
        sets: [set("agents", { id }, values)]
      }),
      result: { ...agent, ...values, version: version + 1 }
    }
  })
