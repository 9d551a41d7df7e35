import type { Capabilities, Channel, ChoiceLimits, FileLimits } from "@parley/core"

/** What every channel of the sandbox receives: the administration can simulate each type. */
const receives: Capabilities["receives"] = [
  "text",
  "media",
  "location",
  "contacts",
  "choice",
  "form",
  "order",
  "reaction",
  "edit",
  "deletion",
  "system",
  "unsupported"
]

const mebibyte = 1_048_576
const oneFile: FileLimits = { count: 1, bytes: 16 * mebibyte, captionLength: 1_024 }
const messengerFile: FileLimits = {
  count: 1,
  bytes: 25 * mebibyte,
  bytesByType: { image: 8 * mebibyte },
  captionLength: 0
}
const quickReplies: ChoiceLimits = { options: 13, titleLength: 20, idLength: 255, descriptionLength: 0 }

const telegramReactions: ReadonlyArray<string> = [
  "👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥",
  "🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨",
  "🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡"
].flatMap((emoji) => emoji.split(" "))

/**
 * The capabilities of each channel, as with its vendor. Exceptions: Instagram's limit is 1,000 characters instead of
 * bytes, email reports every delivery, which most real servers do not, each channel receives every type, and none
 * limits the types of files.
 */
export const capabilitiesOf = (channel: Channel): Capabilities => capabilities[channel] ?? onlyText

/** Of a channel beyond those of the interface. */
const onlyText: Capabilities = {
  textMaxLength: null,
  templates: false,
  deliveryReceipts: true,
  readReceipts: true,
  serviceWindowHours: null
}

const capabilities: { readonly [channel: Channel]: Capabilities } = {
  whatsapp: {
    textMaxLength: 4_096,
    templates: true,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: 24,
    types: ["text", "template", "media", "location", "contacts", "choices", "reaction"],
    receives,
    files: oneFile,
    choices: { options: 10, titleLength: 20, idLength: 200, descriptionLength: 72, buttonLength: 20 },
    quotes: true
  },
  telegram: {
    textMaxLength: 4_096,
    templates: false,
    deliveryReceipts: false,
    readReceipts: false,
    serviceWindowHours: null,
    types: ["text", "media", "location", "choices", "reaction"],
    receives,
    files: oneFile,
    choices: { options: 50, titleLength: 64, idLength: 200, descriptionLength: 0 },
    reactions: telegramReactions,
    quotes: true
  },
  email: {
    textMaxLength: null,
    templates: true,
    deliveryReceipts: true,
    readReceipts: false,
    serviceWindowHours: null,
    types: ["text", "template", "media"],
    receives,
    files: { count: 5, bytes: 15 * mebibyte },
    quotes: true
  },
  webchat: {
    textMaxLength: 4_096,
    templates: false,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: null,
    receives,
    quotes: true
  },
  instagram: {
    textMaxLength: 1_000,
    templates: false,
    deliveryReceipts: false,
    readReceipts: true,
    serviceWindowHours: 24,
    types: ["text", "media", "choices", "reaction"],
    receives,
    files: messengerFile,
    choices: quickReplies,
    reactions: ["❤"],
    quotes: true
  },
  facebook: {
    textMaxLength: 2_000,
    templates: false,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: 24,
    types: ["text", "media", "choices", "reaction"],
    receives,
    files: messengerFile,
    choices: quickReplies,
    quotes: true
  }
}
