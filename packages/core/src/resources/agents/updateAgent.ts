import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems } from "../../kernel/input/Patch.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Agent, AgentAvatar } from "../../model/Agent.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { AgentPatch } from "./AgentInput.js"

/**
 * `PATCH /agents/{id}`: changes name, email, status and avatar. The bytes of `stored`, the given image, are in the blob
 * store already.
 */
export const updateAgent = (
  present: Agent | undefined,
  decoded: PartialDecode<AgentPatch>,
  stored: AgentAvatar | null
): Either.Either<Decision<Agent>, Refusal> =>
  Either.gen(function* () {
    const agent = yield* orNotFound(present)
    const { id, workspaceId, version } = agent
    const { avatar, email, name, status } = yield* complete(
      decoded,
      changeProblems({ workspace_id: [workspaceId, decoded.value.workspaceId] })
    )
    const values: Partial<Agent> = {
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
      ...(status === undefined ? {} : { status }),
      ...(avatar === undefined ? {} : { avatar: avatar === null ? null : stored })
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
