import type { Decision } from "../../kernel/Decider.js"
import type { BotSession } from "../../model/BotSession.js"
import { type Instant, second } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { suspendedRetryMs, type Workspace } from "../../model/Workspace.js"
import { changes } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { type BotWorld, fillOf } from "./BotWorld.js"
import { postponeBotJob } from "./botJobs.js"
import { sayText } from "./dialogue.js"
import { recordTurn } from "./recordTurn.js"

/** What the rules of a time-out read. */
export interface TimeOutWorld extends BotWorld {
  readonly workspace: Workspace
  /** The active session. */
  readonly session: BotSession
  /** Whether an unprocessed message exists: the customer answered in time, the worker is late. */
  readonly isAnswered: boolean
}

/** Delay while unprocessed messages exist, in ms. */
const whileAnswered = 5 * second

/** Ends an unanswered session. The job was made for the first question; later questions postpone it. */
export const timeOut = (world: TimeOutWorld, job: Job, now: Instant, ids: Ids): Decision<unknown> => {
  const { isAnswered, session, workspace } = world
  if (workspace.status !== "active") return postponeBotJob(job, now + suspendedRetryMs)
  if (session.expiresAt > now) return postponeBotJob(job, session.expiresAt)
  if (isAnswered) return postponeBotJob(job, now + whileAnswered)
  const { answers, script } = session
  const messages = script.timeOutText === null ? [] : [sayText(fillOf(world).text(script.timeOutText, answers))]
  const turn = { messages, answers, step: null, tries: 0, ending: { type: "timed_out" as const } }
  return {
    changes: changes(workspace.id, ...recordTurn(world, session, turn, now, ids).parts),
    result: undefined
  }
}
