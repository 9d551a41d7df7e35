import { isOpenAt } from "../src/officeHours.js"
import type { WidgetSettings } from "../src/WidgetSettings.js"
import { type Bubble, type BubbleActions, makeBubble, quoteView, type SendState, type Shown } from "./Bubble.js"
import { textOn } from "./contrast.js"
import { button, element, icon } from "./element.js"
import { makeEmojiPicker } from "./emojiPicker.js"
import type { Locale } from "./Locale.js"
import { makeChime } from "./makeChime.js"
import type { Stored } from "./storage.js"
import { styles } from "./styles.js"

/** The visitor's actions. */
export interface PanelActions extends Omit<BubbleActions, "replied"> {
  readonly opened: () => void
  /** The visitor sees the shown messages. */
  readonly seen: () => void
  readonly sent: (text: string, quoted: Quoted | null) => void
  /** The visitor filled in the form before the chat. */
  readonly introduced: (form: { readonly [field: string]: string }) => void
  readonly picked: (files: ReadonlyArray<File>) => void
  readonly earlier: () => void
}

/** The message that the visitor answers. */
export interface Quoted {
  readonly id: string
  /** Its start. */
  readonly text: string
}

/** The chat on the page: a button, and the panel that it opens. */
export interface Panel {
  readonly element: HTMLElement
  /** Opens the panel again that the visitor left open on the page before. */
  readonly restore: () => void
  /** Shows a message once. */
  readonly show: (message: Shown) => void
  /** Messages shown in `work` are inserted above all others. */
  readonly atTop: (work: () => void) => void
  readonly mark: (id: string, state: SendState) => void
  readonly hasEarlier: (has: boolean) => void
  readonly connection: (state: "connecting" | "connected" | "offline") => void
  /** The business types: shown for a while, or until a message comes. */
  readonly typing: () => void
  /** The business has read the visitor's messages up to this one. */
  readonly seenByBusiness: (id: string) => void
  readonly allRead: () => void
  readonly isLookedAt: () => boolean
}

export const makePanel = (
  { title, greeting, accentColor, files: accepted, officeHours, preChat, sound }: WidgetSettings,
  locale: Locale,
  openState: Stored<boolean>,
  /** Whether the answers to the form before the chat were sent. */
  introduced: Stored<boolean>,
  actions: PanelActions
): Panel => {
  const { labels, language } = locale
  const bubbles = new Map<string, Bubble>()
  const byElement = new Map<Element, { readonly bubble: Bubble; readonly message: Shown }>()
  const unread = new Set<string>()
  let top: Element | null = null
  /** The question whose options can be pressed: the newest one, if the visitor has written nothing since. */
  let question: Bubble | null = null
  /** Whether a shown message ends questions before it. */
  let ended = false

  const badge = element("span", { class: "unread", hidden: "" })
  const launcher = button(
    { class: "launcher", "aria-expanded": "false", "aria-controls": "panel" },
    icon(bubbleShape),
    () => open()
  )
  launcher.append(badge)
  const announcement = element("div", { class: "listened", role: "status" })

  const earlier = button({ class: "earlier", hidden: "" }, labels.earlier, () => {
    earlier.hidden = true
    actions.earlier()
  })
  const typing = element("div", { class: "typing", role: "status", hidden: "" })
  let typingTimer = 0
  const showTyping = (is: boolean): void => {
    clearTimeout(typingTimer)
    if (is) typingTimer = setTimeout(() => showTyping(false), typingMs)
    typing.hidden = !is
    typing.textContent = is ? labels.typing : ""
  }
  const list = element("div", { role: "log", "aria-label": title })
  const welcome =
    greeting === null ? [] : [element("div", { class: "message" }, element("p", { dir: "auto" }, greeting))]
  // Users without a mouse scroll it by the keyboard.
  const log = element(
    "div",
    { class: "log", tabindex: "0", role: "group", "aria-label": title },
    earlier,
    ...welcome,
    list
  )
  const connection = element("div", { class: "connection", role: "status", hidden: "" })
  const field = element("textarea", {
    rows: "1",
    dir: "auto",
    maxlength: "4096",
    "aria-label": labels.message,
    placeholder: labels.message
  })
  const picker = element("input", { type: "file", multiple: "", hidden: "", accept: accepted?.types.join() ?? "" })
  const attach = button({ class: "attach", "aria-label": labels.attach }, icon(clipShape), () => picker.click())
  const picking = makeEmojiPicker(labels.emoji, (emoji) => {
    field.setRangeText(emoji, field.selectionStart, field.selectionEnd, "end")
    field.focus()
  })
  const closed = element("div", { class: "connection", role: "status", hidden: "" })
  const seen = element("div", { class: "note" }, labels.seen)
  let seenId: string | null = null
  const answering = element("div", { class: "answering", hidden: "" })
  let quoted: Quoted | null = null
  /** Shows the message that the next text answers. */
  const answer = (next: Quoted | null): void => {
    const wasAtBottom = isAtBottom()
    quoted = next
    answering.hidden = next === null
    answering.replaceChildren(
      ...(next === null
        ? []
        : [
            quoteView(next.text),
            button({ "aria-label": labels.cancel }, icon(crossShape), () => {
              answer(null)
              field.focus()
            })
          ])
    )
    if (wasAtBottom) toBottom()
  }
  const refusal = element("div", { class: "refusal", role: "alert", hidden: "" })
  const form = element(
    "form",
    {},
    ...(accepted === null ? [] : [picker, attach]),
    picking.toggle,
    field,
    element("button", { class: "send", type: "submit" }, labels.send)
  )
  const introduction = element(
    "form",
    { class: "introduction", hidden: "" },
    ...preChat.map((name) =>
      element(
        "label",
        {},
        labels[name],
        element("input", {
          name,
          type: inputTypes[name],
          autocomplete: autocomplete[name],
          required: "",
          maxlength: "200"
        })
      )
    ),
    element("button", { class: "send", type: "submit" }, labels.start)
  )
  const close = button({ "aria-label": labels.close }, icon(crossShape), () => shut())
  const panel = element(
    "div",
    { id: "panel", class: "panel", role: "dialog", "aria-label": title, hidden: "" },
    element("header", {}, element("h2", { dir: "auto" }, title), close),
    log,
    typing,
    closed,
    connection,
    refusal,
    picking.emojis,
    introduction,
    answering,
    form
  )

  const host = document.createElement("parley-webchat")
  host.lang = language
  host.dir = language === "ar" ? "rtl" : "ltr"
  host.style.setProperty("--accent", accentColor)
  host.style.setProperty("--on-accent", textOn(accentColor))
  const root = host.attachShadow({ mode: "open" })
  root.adoptedStyleSheets = [styles()]
  root.append(launcher, announcement, panel)

  const chime = sound ? makeChime(root) : () => {}

  let answered = introduced.get() === true
  /** Shows the form before the chat until it is filled in, instead of the text field. */
  const ask = (): void => {
    introduction.hidden = preChat.length === 0 || answered
    form.hidden = !introduction.hidden
    if (form.hidden) picking.hide()
  }
  ask()

  const isLookedAt = (): boolean => !panel.hidden && document.visibilityState === "visible"
  const isAtBottom = (): boolean => log.scrollHeight - log.scrollTop - log.clientHeight < 40
  const toBottom = (): void => {
    log.scrollTop = log.scrollHeight
  }
  const show = (): void => {
    openState.set(true)
    const isClosed = officeHours !== null && !isOpenAt(officeHours, new Date())
    closed.hidden = !isClosed
    closed.textContent = isClosed ? labels.closed : ""
    panel.hidden = false
    launcher.hidden = true
    launcher.setAttribute("aria-expanded", "true")
    toBottom()
    actions.opened()
    actions.seen()
  }
  const open = (): void => {
    show()
    const first = introduction.hidden ? null : introduction.querySelector("input")
    ;(first ?? field).focus()
  }
  const shut = (): void => {
    openState.set(null)
    panel.hidden = true
    launcher.hidden = false
    launcher.setAttribute("aria-expanded", "false")
    launcher.focus()
  }
  const submit = (): void => {
    const text = field.value.trim()
    if (text === "") return
    field.value = ""
    picking.hide()
    actions.sent(text, quoted)
    answer(null)
  }
  /** The last message of a group shows the time, and the first one the agent. */
  const group = (): void => {
    const inOrder = [...list.children].flatMap((child) => byElement.get(child) ?? [])
    for (const [n, { bubble, message }] of inOrder.entries()) {
      const next = inOrder[n + 1]
      const isJoined =
        next !== undefined &&
        next.message.own === message.own &&
        next.message.agent === message.agent &&
        next.message.at.getTime() - message.at.getTime() < groupMs
      bubble.element.classList.toggle("joined", isJoined)
      next?.bubble.element.classList.toggle("follows", isJoined)
    }
  }
  const replied = ({ body, files, id }: Shown): void => {
    answer({ id, text: body || files.map(({ name }) => name ?? labels.file).join() })
    field.focus()
  }
  const pick = (picked: ReadonlyArray<File>): void => {
    if (accepted === null || picked.length === 0) return
    const refused = picked.filter((file) => !isAccepted(accepted, file))
    refusal.hidden = refused.length === 0
    refusal.textContent = refused.map(({ name }) => `${name} ${labels.refused}`).join("\n")
    toBottom()
    actions.picked(picked.filter((file) => !refused.includes(file)))
  }
  const countUnread = (): void => {
    const message = `${unread.size} ${labels.unread}`
    badge.hidden = unread.size === 0
    badge.textContent = unread.size > 99 ? "99+" : String(unread.size)
    announcement.textContent = badge.hidden ? "" : message
    launcher.setAttribute("aria-label", badge.hidden ? labels.open : `${labels.open} (${message})`)
  }
  countUnread()

  form.addEventListener("submit", (event) => {
    event.preventDefault()
    submit()
  })
  introduction.addEventListener("submit", (event) => {
    event.preventDefault()
    const inputs = [...introduction.querySelectorAll("input")]
    // A browser takes spaces for an answer.
    for (const input of inputs) input.value = input.value.trim()
    if (!introduction.reportValidity()) return
    answered = true
    ask()
    field.focus()
    actions.introduced(Object.fromEntries(inputs.map(({ name, value }) => [name, value])))
  })
  picker.addEventListener("change", () => {
    pick([...(picker.files ?? [])])
    picker.value = ""
  })
  field.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0) return
    event.preventDefault()
    pick(files)
  })
  panel.addEventListener("dragover", (event) => event.preventDefault())
  panel.addEventListener("drop", (event) => {
    event.preventDefault()
    pick([...(event.dataTransfer?.files ?? [])])
  })
  field.addEventListener("keydown", (event) => {
    // Enter also ends the composition of a word, as in Japanese.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return
    event.preventDefault()
    submit()
  })
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || picking.hide()) return
    if (quoted === null) shut()
    else answer(null)
  })
  // The keyboard of a phone covers a part of the page.
  const fit = (): void => {
    host.style.setProperty("--height", `${visualViewport?.height}px`)
    host.style.setProperty("--top", `${visualViewport?.offsetTop}px`)
  }
  visualViewport?.addEventListener("resize", fit)
  visualViewport?.addEventListener("scroll", fit)
  document.addEventListener("visibilitychange", () => {
    if (isLookedAt()) actions.seen()
  })

  return {
    element: host,
    restore: () => {
      // Without the focus, which is the page's.
      if (openState.get()) show()
    },
    show: (message) => {
      const known = bubbles.get(message.id)
      if (known) return known.stored(message.files)
      const bubble = makeBubble(message, locale, { ...actions, replied })
      bubbles.set(message.id, bubble)
      byElement.set(bubble.element, { bubble, message })
      if (message.own && !answered) {
        answered = true
        ask()
      }
      if (message.id === seenId) bubble.element.append(seen)
      if (!message.own && top === null) showTyping(false)
      if (message.own || message.options !== null) {
        const isOlder = top !== null && ended
        if (isOlder) bubble.close()
        else {
          question?.close()
          question = bubble
        }
        ended = true
      }
      const wasAtBottom = isAtBottom()
      list.insertBefore(bubble.element, top)
      if (top === null) group()
      if (top !== null) top = bubble.element
      else if (wasAtBottom || message.own) toBottom()
      if (message.read) return
      if (top === null && !isLookedAt()) chime()
      unread.add(message.id)
      countUnread()
    },
    atTop: (work) => {
      const below = log.scrollHeight - log.scrollTop
      // A marker to insert before, also in an empty log.
      const mark = element("div")
      list.prepend(mark)
      top = mark
      work()
      top = null
      mark.remove()
      group()
      log.scrollTop = log.scrollHeight - below
    },
    mark: (id, state) => {
      if (state === "sent") introduced.set(true)
      bubbles.get(id)?.mark(state)
    },
    hasEarlier: (has) => {
      earlier.hidden = !has
    },
    connection: (state) => {
      connection.hidden = state === "connected"
      connection.textContent = state === "connected" ? "" : labels[state]
    },
    typing: () => showTyping(true),
    seenByBusiness: (id) => {
      seenId = id
      bubbles.get(id)?.element.append(seen)
    },
    allRead: () => {
      unread.clear()
      countUnread()
    },
    isLookedAt
  }
}

const inputTypes = { name: "text", email: "email", phone: "tel" } as const
const autocomplete = { name: "name", email: "email", phone: "tel" } as const

/** In ms: messages of one writer belong together if less time is between them. */
const groupMs = 300_000

/** In ms; a signal lasts until the next one. */
const typingMs = 10_000

/** By size and by the type that the browser takes from the name. The server looks at the bytes. */
const isAccepted = ({ types, maxBytes }: NonNullable<WidgetSettings["files"]>, { size, type }: File): boolean =>
  size > 0 &&
  size <= maxBytes &&
  (type === "" || types.some((one) => one === type || one === type.replace(/\/.*/, "/*")))

const clipShape =
  "M16.5 6v11.5a4 4 0 0 1-8 0V5a2.5 2.5 0 0 1 5 0v10.5a1 1 0 0 1-2 0V6H10v9.5a2.5 2.5 0 0 0 5 0V5a4 4 0 0 0-8 0v12.5a5.5 5.5 0 0 0 11 0V6Z"
const bubbleShape = "M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H8l-5 4v-4.5A2 2 0 0 1 2 16V5a2 2 0 0 1 2-2Z"
const crossShape = "M18.3 5.7 12 12l6.3 6.3-1.4 1.4L10.6 13.4 4.3 19.7 2.9 18.3 9.2 12 2.9 5.7 4.3 4.3l6.3 6.3 6.3-6.3Z"
