import { type Workspace, whileSuspended } from "../access/Workspace.js"
import type { Decision } from "../Decider.js"
import { type Instant, second } from "../Instant.js"
import { changes } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Job } from "../worker/Job.js"
import type { BotSession } from "./BotSession.js"
import { type BotWorld, fillOf } from "./BotWorld.js"
import { putOff } from "./botJobs.js"
import { recordTurn } from "./recordTurn.js"

/** All that a time-out may look at. */
export interface TimeOutWorld extends BotWorld {
  readonly workspace: Workspace
  /** The dialogue that is active. */
  readonly session: BotSession
  /** Whether there is an answer that nobody has taken yet: it was in time, the worker was not. */
  readonly isAnswered: boolean
}

/** How long a time-out waits for answers to be taken. */
const whileAnswered = 5 * second

/** Ends a dialogue that nobody answered. The job was made for its first question: where others came since, it waits on. */
export const timeOut = (world: TimeOutWorld, job: Job, now: Instant, ids: Ids): Decision<unknown> => {
  const { isAnswered, session, workspace } = world
  if (workspace.status !== "active") return putOff(job, now + whileSuspended)
  if (session.expiresAt > now) return putOff(job, session.expiresAt)
  if (isAnswered) return putOff(job, now + whileAnswered)
  const { answers, script } = session
  const says = script.timeOutText === null ? [] : [fillOf(world)(script.timeOutText, answers)]
  const turn = { says, answers, step: null, tries: 0, ending: { type: "timed_out" as const } }
  return {
    changes: changes(workspace.id, ...recordTurn(world, session, turn, now, ids).parts),
    result: undefined
  }
}
