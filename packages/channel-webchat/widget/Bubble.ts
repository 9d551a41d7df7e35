import type { VisitorOption } from "../src/VisitorMessage.js"
import { button, element, icon } from "./element.js"
import { fileView, type ShownFile } from "./fileView.js"
import type { Locale } from "./Locale.js"
import { textWithLinks } from "./textWithLinks.js"

/** A message as it is shown. */
export interface Shown {
  /** The message's id, or the widget's id if the visitor wrote it. */
  readonly id: string
  readonly own: boolean
  /** Name of the agent who wrote it. */
  readonly agent: string | null
  /** URL of the agent's image; null shows the initials. */
  readonly avatar: string | null
  /** The start of the message that it answers. */
  readonly quote: string | null
  readonly body: string
  /** The options of a question. */
  readonly options: ReadonlyArray<VisitorOption> | null
  readonly files: ReadonlyArray<ShownFile>
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
  /** Shows the files with their URLs once they have them. */
  readonly stored: (files: ReadonlyArray<ShownFile>) => void
  /** The question was answered, or a newer one follows: its options can no longer be pressed. */
  readonly close: () => void
}

/** The visitor's actions on a message. */
export interface BubbleActions {
  readonly retried: (id: string) => void
  readonly selected: (id: string, option: VisitorOption) => void
  readonly replied: (message: Shown) => void
}

const timeText = (at: Date, language: string): string =>
  at.toLocaleString(language, {
    ...(at.toDateString() === new Date().toDateString() ? {} : { day: "numeric", month: "short" }),
    hour: "2-digit",
    minute: "2-digit"
  })

/** The first letters of the first and the last name. */
const initialsOf = (name: string): string => {
  const parts = name.split(/\s+/).filter((part) => part !== "")
  return [parts[0], parts.length > 1 ? parts.at(-1) : undefined]
    .flatMap((part) => [...(part ?? "")].slice(0, 1))
    .join("")
    .toUpperCase()
}

/** The image of the agent; the initials without one, or until it is loaded. The name follows as text. */
const avatarOf = (agent: string, url: string | null): HTMLElement => {
  const avatar = element("span", { class: "avatar", "aria-hidden": "true" }, initialsOf(agent))
  if (url === null) return avatar
  const image = element("img", { alt: "" })
  image.addEventListener("load", () => avatar.replaceChildren(image))
  image.src = url
  return avatar
}

/** The start of a message that is answered. */
export const quoteView = (text: string): HTMLElement => element("blockquote", { dir: "auto" }, text)

const replyShape = "M10 9V5l-7 7 7 7v-4.1c5 0 8.5 1.6 11 5.1-1-5-4-10-11-11Z"

const areStored = (files: ReadonlyArray<ShownFile>): boolean => files.every(({ url }) => url !== null)

export const makeBubble = (message: Shown, locale: Locale, actions: BubbleActions): Bubble => {
  const { labels } = locale
  const { id, own, agent, body, at, options, files, quote } = message
  const time = element("time", { datetime: at.toISOString() }, timeText(at, locale.language))
  const note = element("div", { class: "note" }, time)
  const speaker = own
    ? [element("span", { class: "listened" }, `${labels.you}: `)]
    : agent === null
      ? []
      : [element("span", { class: "agent" }, avatarOf(agent, message.avatar), element("bdi", {}, agent))]
  const choices = (options ?? []).map((option) => {
    const { description, title } = option
    const choice = button({ class: "option", dir: "auto" }, title, () => actions.selected(id, option))
    if (description) choice.append(element("small", {}, description))
    return choice
  })
  const text = body === "" ? [] : [element("p", { dir: "auto" }, ...textWithLinks(body))]
  const attached = element("div", { class: "files" })
  const showFiles = (files: ReadonlyArray<ShownFile>): void =>
    attached.replaceChildren(...files.map((file) => fileView(file, locale)))
  showFiles(files)
  let isStored = areStored(files)
  const group =
    choices.length === 0 ? [] : [element("div", { class: "options", role: "group", "aria-label": body }, ...choices)]
  return {
    element: element(
      "div",
      { class: own ? "message own" : "message" },
      ...speaker,
      ...(quote === null ? [] : [quoteView(quote)]),
      ...(files.length === 0 ? [] : [attached]),
      ...text,
      ...group,
      note,
      ...(own
        ? []
        : [button({ class: "reply", "aria-label": labels.reply }, icon(replyShape), () => actions.replied(message))])
    ),
    close: () => {
      for (const choice of choices) choice.disabled = true
    },
    body,
    stored: (files) => {
      if (isStored || !areStored(files)) return
      isStored = true
      showFiles(files)
    },
    mark: (state) =>
      note.replaceChildren(
        state === "sent"
          ? time
          : state === "sending"
            ? labels.sending
            : button({}, labels.retry, () => actions.retried(id))
      )
  }
}
