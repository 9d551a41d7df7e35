import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FastCheck as fc } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cellOf, joined, separated, textOf } from "../../src/commands/contactFiles/cells.js"
import { cellsOf, contactOf, exportColumns, headerProblem } from "../../src/commands/contactFiles/columns.js"
import { type FileRow, type Format, readContacts } from "../../src/commands/contactFiles/readContacts.js"

describe("a cell", () => {
  it.each(["=1+1", "+SUM(A1)", "-A1", "@cmd", "'=1", "\tx"])(
    "is escaped so that a spreadsheet sees no formula: %j",
    (text) => {
      expect(cellOf(text)).toBe(`'${text}`)
    }
  )
  it.each(["+491701234567", "-3", "3.5", "Ada", "'tis"])("stays as it is: %j", (text) => {
    expect(cellOf(text)).toBe(text)
  })
  it("decodes to the original value", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(textOf(cellOf(text))).toBe(text)
        expect(textOf(cellOf(`'=${text}`))).toBe(`'=${text}`)
      })
    )
  })
  it("splits joined values into the original ones", () => {
    const part = fc
      .string({ unit: fc.constantFrom("a", ";", "\\", " ", "'"), minLength: 1 })
      .filter((text) => text.trim() === text && text !== "")
    fc.assert(
      fc.property(fc.array(part), (texts) => {
        expect(separated(joined(texts))).toEqual(texts)
      })
    )
  })
})

const customFields = [
  { key: "size", type: "number" },
  { key: "member", type: "boolean" }
]

describe("the columns of a file", () => {
  const contact = {
    first_name: "Ada",
    email: "ada@example.org",
    opted_out: true,
    marketing_opted_out: false,
    tags: ["a;b", "=c"],
    identities: [
      { channel: "email", handle: "ada@example.org" },
      { channel: "telegram", handle: "@ada" },
      { channel: "email", handle: "old@example.org" }
    ],
    custom_fields: { size: -3, member: true }
  }
  it("of an export can be imported", () => {
    const columns = exportColumns(customFields)
    expect(headerProblem(columns, customFields)).toBeNull()
    expect(contactOf(columns, cellsOf(contact, columns), customFields)).toEqual({
      ...contact,
      identities: contact.identities.slice(1)
    })
  })
  it("take the name of an own field only", () => {
    const columns = ["custom_fields.constructor", "custom_fields.valueof"]
    expect(cellsOf({ custom_fields: { valueof: 1 } }, columns)).toEqual(["", "1"])
    const fields = [{ key: "constructor", type: "boolean" }]
    expect(contactOf(["custom_fields.constructor"], ["constructor"], fields)).toEqual({
      custom_fields: { constructor: "constructor" }
    })
  })
  it("are refused if unknown or repeated", () => {
    expect(headerProblem(["emails"], [])).toContain("Did you mean email?")
    expect(headerProblem(["custom_fields.hat"], [])).toContain("parley custom-field list")
    expect(headerProblem(["email", "email"], [])).toBe("The column email occurs twice.")
  })
  it("pass values of the wrong type on, for the API to refuse", () => {
    expect(contactOf(["opted_out", "custom_fields.size"], ["maybe", "big"], customFields)).toEqual({
      opted_out: "maybe",
      custom_fields: { size: "big" }
    })
    for (const size of ["0x1F", "Infinity", "1e999"]) {
      expect(contactOf(["custom_fields.size"], [size], customFields)).toEqual({ custom_fields: { size } })
    }
    expect(contactOf(["custom_fields.size"], ["1.2E+05"], customFields)).toEqual({ custom_fields: { size: 120_000 } })
  })
})

describe("reading a file", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-contacts-"))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const read = async (text: string | Uint8Array, format: Format = "csv"): Promise<ReadonlyArray<FileRow>> => {
    const path = join(folder, "contacts")
    await writeFile(path, text)
    const rows: Array<FileRow> = []
    for await (const row of readContacts(path, format, async () => customFields)) rows.push(row)
    return rows
  }
  const contacts = async (text: string | Uint8Array, format: Format = "csv") =>
    (await read(text, format)).map(({ contact, row }) => [row, contact])

  it.each([
    ["a byte order mark", "\uFEFFemail,first_name\na@b.org,Ada\n"],
    ["line ends of Windows", "email,first_name\r\na@b.org,Ada\r\n"],
    ["semicolons", "email;first_name\na@b.org;Ada"],
    ["tabs", "email\tfirst_name\na@b.org\tAda"],
    ["quotes and spaces", '"email", first_name \n"a@b.org", Ada\n']
  ])("takes %s", async (_, text) => {
    expect(await contacts(text)).toEqual([[2, { email: "a@b.org", first_name: "Ada" }]])
  })
  it("numbers rows as a spreadsheet does, including empty and too long ones", async () => {
    expect(await contacts('email,company\n\na@b.org,"Acme,\nInc."\n,\nc@d.org,x,y\nd@e.org,\n')).toEqual([
      [3, { email: "a@b.org", company: "Acme,\nInc." }],
      [5, "has 3 cells, but the header has 2"],
      [6, { email: "d@e.org" }]
    ])
  })
  it("reports an invalid line of NDJSON and continues", async () => {
    expect(await contacts('{"email":"a@b.org"}\r\n\n{"email"\n[1]\n{"phone":"+4917012345"}', "ndjson")).toEqual([
      [1, { email: "a@b.org" }],
      [3, "is not valid JSON"],
      [4, "must be an object"],
      [5, { phone: "+4917012345" }]
    ])
  })
  it.each([
    ["another encoding", Buffer.from("email,first_name\na@b.org,Zo\xeb\n", "latin1"), "The file is not UTF-8"],
    ["UTF-16", Buffer.from("\uFEFFemail\na@b.org\n", "utf16le"), "The file is not UTF-8"],
    ["an unclosed quote", 'email,company\na@b.org,"Acme\nc@d.org,x\n', "Invalid CSV from row 2"],
    ["no header", "ada@example.org,Ada\n", "the first row must contain the names of the fields"]
  ])("fails on %s", async (_, text, message) => {
    await expect(read(text)).rejects.toThrow(message)
  })
  it("does not buffer an endless line", async () => {
    await expect(read(`{"a":"${"x".repeat(1_200_000)}`, "ndjson")).rejects.toThrow("longer than a contact can be")
    await expect(read(`email\n"${"x".repeat(1_200_000)}`)).rejects.toThrow("Invalid CSV from row 2")
  })
})
