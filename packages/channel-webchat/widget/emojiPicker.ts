import { button, element, icon } from "./element.js"

/** The button that shows emoji, and the emoji. */
export interface EmojiPicker {
  readonly toggle: HTMLButtonElement
  readonly emojis: HTMLElement
  /** Hides the emoji. Returns whether they were shown. */
  readonly hide: () => boolean
}

export const makeEmojiPicker = (label: string, picked: (emoji: string) => void): EmojiPicker => {
  const emojis = element(
    "div",
    { id: "emojis", class: "emojis", role: "group", "aria-label": label, hidden: "" },
    ...[...choice].map((emoji) =>
      button({}, emoji, () => {
        show(false)
        picked(emoji)
      })
    )
  )
  const show = (is: boolean): void => {
    emojis.hidden = !is
    toggle.setAttribute("aria-expanded", String(is))
  }
  const toggle = button(
    { class: "emoji", "aria-label": label, "aria-expanded": "false", "aria-controls": "emojis" },
    icon(faceShape),
    () => show(emojis.hidden)
  )
  return {
    toggle,
    emojis,
    hide: () => {
      const isShown = !emojis.hidden
      show(false)
      return isShown
    }
  }
}

const choice = "😀😂😊😍😎🤔😐😢😡😱🙈🎉👍👎👏🙏💪👋🔥✅❌❓💡🌹"
const faceShape =
  "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm0 18a8 8 0 1 1 0-16 8 8 0 0 1 0 16ZM8.5 8A1.5 1.5 0 1 0 8.5 11 1.5 1.5 0 0 0 8.5 8Zm7 0A1.5 1.5 0 1 0 15.5 11 1.5 1.5 0 0 0 15.5 8ZM12 17.5c2.3 0 4.3-1.5 5.1-3.5H6.9c.8 2 2.8 3.5 5.1 3.5Z"
