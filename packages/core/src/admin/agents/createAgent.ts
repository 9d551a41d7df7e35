import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import type { Agent } from "../../agents/Agent.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { workspaceProblems } from "../workspaceProblems.js"
import type { AgentInput } from "./AgentInput.js"

/** `POST /agents`: an active agent. */
export const createAgent = (
  workspace: Workspace | undefined,
  draft: Draft<AgentInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Agent>, Refusal> =>
  Either.map(complete(draft, workspaceProblems(draft.value.workspaceId, workspace)), (input) => {
    const agent: Agent = { ...input, id: ids.next(now), status: "active", createdAt: now, version: 1 }
    return {
      changes: changes(agent.workspaceId, {
        expects: [expect("workspaces", { id: agent.workspaceId })],
        inserts: [row("agents", agent)]
      }),
      result: agent
    }
  })
