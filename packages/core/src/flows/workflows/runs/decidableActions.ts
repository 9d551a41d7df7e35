import type { Action } from "../../../model/Action.js"
import type { Instant } from "../../../model/Instant.js"
import { isOver, type Run } from "../../../model/Run.js"
import type { Definition } from "../../../model/Workflow.js"
import type { RunWorld } from "./advanceRun.js"

/** Maximum number of actions per commit. */
const maxActionsPerCommit = 10

/** Action types after which later actions need a new read. */
const rereading: ReadonlyArray<Action["type"]> = [
  "send_message",
  "send_email",
  "update_contact",
  "create_lead",
  "update_lead",
  "assign",
  "start_bot"
]

/**
 * The actions of a run that one commit can contain, by position: from the current action up to and including the first
 * one that waits, calls a webhook or requires a new read. Empty if the run waits for the progress of a message.
 */
export const decidableActions = (
  { actions }: Definition,
  run: Run,
  callResult: RunWorld["callResult"],
  now: Instant
): ReadonlyArray<readonly [position: number, action: Action]> => {
  const { pending, position } = run
  // The progress of the message must be read first.
  if (isOver(run) || (pending !== null && pending.messageId !== null)) return []
  const decidable: Array<readonly [number, Action]> = []
  for (let at = position; at < actions.length && decidable.length < maxActionsPerCommit; at++) {
    const action = actions[at] as Action
    decidable.push([at, action])
    const isOverBy = action.type === "wait" && at === position && pending?.until != null && pending.until <= now
    const wasCalled = action.type === "call_webhook" && at === callResult?.position
    if (!isOverBy && !wasCalled && (action.type === "wait" || action.type === "call_webhook")) break
    if (rereading.includes(action.type)) break
  }
  return decidable
}
