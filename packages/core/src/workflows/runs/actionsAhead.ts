import type { Instant } from "../../Instant.js"
import type { Action } from "../definition/Action.js"
import type { Definition } from "../Workflow.js"
import type { RunWorld } from "./advanceRun.js"
import { isOver, type Run } from "./Run.js"

/** The most actions that are decided together. */
const mostTogether = 10

/** Actions after which others have to look anew. */
const rereading: ReadonlyArray<Action["type"]> = [
  "send_message",
  "send_email",
  "create_lead",
  "update_lead",
  "assign",
  "start_bot"
]

/**
 * The actions of a run that may be decided together now, by position: from the one at hand to the first that takes its time or
 * changes what others look at, it included. Where the one at hand still waits, there are none.
 */
export const actionsAhead = (
  { actions }: Definition,
  run: Run,
  answered: RunWorld["answered"],
  now: Instant
): ReadonlyArray<readonly [position: number, action: Action]> => {
  const { pending, position } = run
  // What becomes of a message is known once it is read.
  if (isOver(run) || (pending !== null && pending.messageId !== null)) return []
  const ahead: Array<readonly [number, Action]> = []
  for (let at = position; at < actions.length && ahead.length < mostTogether; at++) {
    const action = actions[at] as Action
    ahead.push([at, action])
    const isOverBy = action.type === "wait" && at === position && pending?.until != null && pending.until <= now
    const wasCalled = action.type === "call_webhook" && at === answered?.position
    if (!isOverBy && !wasCalled && (action.type === "wait" || action.type === "call_webhook")) break
    if (rereading.includes(action.type)) break
  }
  return ahead
}
