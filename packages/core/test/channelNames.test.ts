import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const channels = "whatsapp|telegram|instagram|facebook|webchat|sms"
/** Comparisons, cases, keys and types; examples of the OpenAPI document are none of these. */
const decides = new RegExp(
  `(?:[!=]==? |case |Literal\\([^)]*|includes\\()["'](?:${channels})["']|["'](?:${channels})["'] (?:[!=]==?|\\|)|^ *(?:${channels}):`,
  "m"
)

const filesOf = (room: string): ReadonlyArray<string> =>
  readdirSync(new URL(`../../${room}/src`, import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${room}/src/${file}`)

it("decides nothing by the name of a channel: only identities have the interface's names", () => {
  const deciding = [...filesOf("core"), ...filesOf("http")].filter((file) =>
    decides.test(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"))
  )
  expect(deciding.sort()).toEqual(["core/src/model/Contact.ts", "core/src/resources/contacts/Handle.ts"])
})

it.each([
  'if (channel === "whatsapp") return',
  'case "sms":',
  'Schema.Literal("email", "telegram")',
  '["sms"].includes("sms")',
  'type Name = "webchat" | "sms"',
  "  facebook: 2_000,"
])("would notice %s", (code) => expect(decides.test(code)).toBe(true))
