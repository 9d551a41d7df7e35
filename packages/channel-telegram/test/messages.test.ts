import { describe, expect, it } from "@effect/vitest"
import { telegramMessage } from "@parley/testkit"
import { Effect } from "effect"
import { customer, kept, receives, said } from "./received.js"

const place = { latitude: 52.52, longitude: 13.405 }

describe("messages", () => {
  for (const [what, content, body, rest = {}] of [
    ["a text", { text: "Hi <b>you</b>", entities: [{ type: "bold" }] }, "Hi <b>you</b>"],
    [
      "a start with a payload",
      { text: "/start order-4711", entities: [{ type: "bot_command" }] },
      "/start order-4711",
      {
        referral: {
          source: "start",
          sourceId: null,
          clickId: null,
          headline: null,
          body: null,
          url: null,
          ref: "order-4711"
        }
      }
    ],
    [
      "a location",
      { location: place },
      "52.52, 13.405",
      { content: { type: "location", latitude: 52.52, longitude: 13.405, name: null, address: null, url: null } }
    ],
    [
      "a venue",
      { location: place, venue: { location: place, title: "Parley", address: "Street 1" } },
      "Parley\nStreet 1\n52.52, 13.405",
      {
        content: {
          type: "location",
          latitude: 52.52,
          longitude: 13.405,
          name: "Parley",
          address: "Street 1",
          url: null
        }
      }
    ],
    [
      "a contact",
      { contact: { phone_number: "+491511234567", first_name: "Ada", last_name: "Lovelace" } },
      "Ada Lovelace\n+491511234567",
      {
        content: {
          type: "contacts",
          contacts: [{ name: "Ada Lovelace", organization: null, phones: ["+491511234567"], emails: [] }]
        }
      }
    ],
    [
      "a contact of one name",
      { contact: { phone_number: "+491511234567", first_name: "Ada" } },
      "Ada\n+491511234567",
      {
        content: {
          type: "contacts",
          contacts: [{ name: "Ada", organization: null, phones: ["+491511234567"], emails: [] }]
        }
      }
    ],
    [
      "a text link",
      { text: "See here", entities: [{ type: "text_link", offset: 4, length: 4, url: "https://parley.example" }] },
      "See here\n(https://parley.example)"
    ],
    [
      "a sender whose last name is null",
      { text: "Hi", from: { id: customer, first_name: "Ada", last_name: null } },
      "Hi"
    ],
    [
      "an answer to a part",
      { text: "Yes", reply_to_message: { message_id: 3, text: "Tea or coffee?" }, quote: { text: "Tea" } },
      "Yes",
      { quoted: { providerMessageId: "123456789:3", body: "Tea" } }
    ],
    [
      "an answer to a story",
      { text: "Yes", reply_to_story: { chat: { id: 5 }, id: 9 } },
      "Yes",
      { quoted: { providerMessageId: "story:5:9" } }
    ],
    ["a message of an album", { text: "Hi", media_group_id: "77" }, "Hi", { groupId: "77" }]
  ] as const) {
    it.effect(`reads ${what}`, () =>
      Effect.gen(function* () {
        expect(yield* receives({ message: telegramMessage(customer, 7, content) })).toEqual([said({ body, ...rest })])
      })
    )
  }

  const file = { file_id: "BQAC-1", file_unique_id: "AgAD", file_size: 12 }

  for (const [field, content, type, contentType, duration = null] of [
    ["document", file, "document", null],
    ["document", { ...file, mime_type: "application/pdf" }, "document", "application/pdf"],
    ["animation", { ...file, duration: 3 }, "video", null, 3],
    ["video", { ...file, mime_type: "video/mp4", duration: 62 }, "video", "video/mp4", 62],
    ["video_note", { ...file, length: 240, duration: 9 }, "video", "video/mp4", 9],
    ["voice", { ...file, mime_type: "audio/ogg", duration: 0 }, "voice", "audio/ogg", 0],
    ["audio", { ...file, duration: "long" }, "audio", null],
    ["sticker", { ...file, is_animated: false, is_video: false }, "sticker", "image/webp"],
    ["sticker", { ...file, is_animated: true, is_video: false }, "sticker", "application/x-tgsticker"],
    ["sticker", { ...file, is_animated: false, is_video: true }, "sticker", "video/webm"]
  ] as ReadonlyArray<readonly [string, object, string, string | null, number?]>) {
    it.effect(`refers to the file of a ${field} as ${type} of ${contentType}`, () =>
      Effect.gen(function* () {
        const attachment = { type, contentType, fileName: null, duration, content: { reference: "BQAC-1" } }
        expect(yield* receives({ message: telegramMessage(customer, 7, { [field]: content }) })).toEqual([
          said({ attachments: [attachment] })
        ])
      })
    )
  }

  it.effect("takes the caption and the name of a file", () =>
    Effect.gen(function* () {
      const document = { ...file, file_name: "bill.pdf" }
      expect(yield* receives({ message: telegramMessage(customer, 7, { document, caption: "Here" }) })).toMatchObject([
        { body: "Here", attachments: [{ fileName: "bill.pdf" }] }
      ])
    })
  )

  it.effect("takes the largest size of a photo, wherever it stands", () =>
    Effect.gen(function* () {
      const sizes = [90, 1_280, 320].map((width) => ({ file_id: `photo-${width}`, width, height: width }))
      for (const photo of [sizes, sizes.toReversed()]) {
        const message = telegramMessage(customer, 7, { photo, caption: "Look" })
        expect(yield* receives({ message })).toEqual([
          said({
            body: "Look",
            attachments: [
              {
                ...{ type: "image", contentType: "image/jpeg", fileName: null, duration: null },
                content: { reference: "photo-1280" }
              }
            ]
          })
        ])
      }
    })
  )

  it.effect("takes an animation for the one video that it is", () =>
    Effect.gen(function* () {
      const content = { animation: { ...file, mime_type: "video/mp4" }, document: file }
      const [event] = yield* receives({ message: telegramMessage(customer, 7, content) })
      expect(event).toMatchObject({ attachments: [{ type: "video", contentType: "video/mp4" }] })
    })
  )

  for (const [names, displayName] of [
    [["Ada"], "Ada"],
    [["Ada", "Lovelace"], "Ada Lovelace"],
    [[""], null]
  ] as const) {
    it.effect(`calls a customer ${displayName}`, () =>
      Effect.gen(function* () {
        const [first, last] = names
        expect(yield* receives({ message: telegramMessage(customer, 7, { text: "Hi" }, first, last) })).toEqual([
          said({ body: "Hi", displayName })
        ])
      })
    )
  }

  it.effect("knows what a bot wrote", () =>
    Effect.gen(function* () {
      const from = { id: customer, is_bot: true, first_name: "Ada" }
      expect(yield* receives({ message: telegramMessage(customer, 7, { from, text: "Hi" }) })).toEqual([
        said({ body: "Hi", automatic: true })
      ])
    })
  )

  for (const type of ["group", "supergroup", "channel"]) {
    it.effect(`takes nothing that is said in a ${type} for a customer's`, () =>
      Effect.gen(function* () {
        const message = telegramMessage(customer, 7, { chat: { id: -100, type }, text: "Hi" })
        expect(yield* receives({ message })).toEqual([kept(`message.${type}`, message)])
      })
    )
  }

  for (const [content, kind, body] of [
    [{ dice: { emoji: "🎲", value: 6 } }, "dice", "🎲 6"],
    [{ photo: [], caption: "Look" }, "photo", "Look"],
    [{ reply_to_poll_option_id: "1", sender_tag: "VIP", dice: { emoji: "🎲", value: 6 } }, "dice", "🎲 6"],
    [{ document: {} }, "document", "Unsupported content: document"],
    [{ hologram: { id: 1 } }, "hologram", "Unsupported content: hologram"],
    [{}, "message", "Unsupported content: message"]
  ] as const) {
    it.effect(`reports a message with ${JSON.stringify(content)} as unsupported`, () =>
      Effect.gen(function* () {
        const message = telegramMessage(customer, 7, content)
        expect(yield* receives({ message })).toEqual([said({ body, content: { type: "unsupported", kind } })])
      })
    )
  }
})
