import type { Labels } from "../src/Labels.js"
import { button, element } from "./element.js"

/** A message as it is shown. */
export interface Shown {
  /** The message's id, or the widget's id if the visitor wrote it. */
  readonly id: string
  readonly own: boolean
  readonly body: string
  readonly at: Date
  readonly read: boolean
}

/** The state of a message that the visitor wrote. */
export type SendState = "sending" | "sent" | "failed"

/** A message on the screen. */
export interface Bubble {
  readonly element: HTMLElement
  readonly body: string
  readonly mark: (state: SendState) => void
}

export const makeBubble = (message: Shown, labels: Labels, retried: (id: string) => void): Bubble => {
  const { id, own, body, at } = message
  const time = element(
    "time",
    { datetime: at.toISOString() },
    at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
  )
  const note = element("div", { class: "note" }, time)
  const speaker = own ? [element("span", { class: "listened" }, `${labels.you}: `)] : []
  return {
    element: element("div", { class: own ? "message own" : "message" }, ...speaker, element("p", {}, body), note),
    body,
    mark: (state) =>
      note.replaceChildren(
        state === "sent" ? time : state === "sending" ? labels.sending : button({}, labels.retry, () => retried(id))
      )
  }
}
