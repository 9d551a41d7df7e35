import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { Agent } from "../../model/Agent.js"
import type { Instant } from "../../model/Instant.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { AgentInput } from "./AgentInput.js"

/** `POST /agents`: creates an active agent. */
export const createAgent = (
  workspace: Workspace | undefined,
  decoded: PartialDecode<AgentInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Agent>, Refusal> =>
  Either.map(complete(decoded, workspaceProblems(decoded.value.workspaceId, workspace)), (input) => {
    const agent: Agent = { ...input, id: ids.next(now), status: "active", avatar: null, createdAt: now, version: 1 }
    return {
      changes: changes(agent.workspaceId, {
        expects: [expect("workspaces", { id: agent.workspaceId })],
        inserts: [row("agents", agent)]
      }),
      result: agent
    }
  })
