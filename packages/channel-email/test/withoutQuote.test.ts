import { FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { withoutQuote } from "../src/withoutQuote.js"
import { withoutSignature } from "../src/withoutSignature.js"

const names = ["hello@bakery.example", "The Bakery"]

describe("a quote under an answer", () => {
  it("goes with the line that names us", () => {
    const text = "Yes please.\n\nOn Mon, 4 May 2026, The Bakery wrote:\n> Shall we\n> bake it?\n"
    expect(withoutQuote(text, names)).toBe("Yes please.")
  })
  it("goes with a line that was broken into two", () => {
    const text = "Ja gerne.\n\nAm 04.05.2026 um 10:30 schrieb The Bakery\n<hello@bakery.example>:\n\n> Sollen wir?"
    expect(withoutQuote(text, names)).toBe("Ja gerne.")
  })
  it("goes with a line that was broken within the address", () => {
    const text = "Yes.\n\nOn Mon, May 4, 2026 at 10:30 AM The Bakery <\nhello@bakery.example> wrote:\n\n> Shall we?"
    expect(withoutQuote(text, names)).toBe("Yes.")
  })
  it("leaves a customer's own words that end in a colon", () => {
    for (const text of ["My question was:", "I asked The Bakery:", "Yes, 2 please.\nThe Bakery wrote:"]) {
      expect(withoutQuote(`${text}\n> Shall we?`, names)).toBe(text)
    }
  })
  it("stays where words follow it or stand in between", () => {
    for (const text of ["> Shall we?\nYes.", "> Shall we?\nYes.\n> Today?\nNo."])
      expect(withoutQuote(text, names)).toBe(text)
  })
  it("stays where nothing else is there", () => {
    const text = "On 4 May, The Bakery wrote:\n> Shall we?"
    expect(withoutQuote(text, names)).toBe(text)
  })
  it("is the only thing that ever goes", () => {
    const line = FastCheck.constantFrom("> quoted", "", "words", "On 4 May The Bakery wrote:", ">", " ", "From: words")
    const written = (text: string) => text.split("\n").filter((one) => one.includes("words"))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(line), (lines) => {
        const text = lines.join("\n")
        const rest = withoutQuote(text, names)
        expect(text).toContain(rest)
        expect(written(rest)).toEqual(written(text))
      })
    )
  })
  it("goes above an answer, where an introduction begins the text", () => {
    const text = "On 04/05/2026 10:30, The Bakery wrote:\n> Shall we\n>\n> bake it?\n\nYes.\n\nToday."
    expect(withoutQuote(text, names)).toBe("Yes.\n\nToday.")
  })
})

/** Replies as mail programs write them: the answer is `Yes.`, in a thread with the bakery. */
const replies: ReadonlyArray<readonly [program: string, text: string]> = [
  ["Gmail, English", "Yes.\n\nOn Mon, May 4, 2026 at 10:30 AM The Bakery <hello@bakery.example> wrote:\n\n> Shall we?"],
  ["Gmail, of a colleague", "Yes.\n\nOn Mon, May 4, 2026 at 10:30 AM Grace Hopper <grace@x.example>\nwrote:\n\n> Do!"],
  ["Gmail, German", "Yes.\n\nAm Mo., 4. Mai 2026 um 10:30 Uhr schrieb Grace <\ngrace@x.example>:\n\n> Sollen wir?"],
  ["Gmail, French", "Yes.\n\nLe lun. 4 mai 2026 à 10:30, Grace <grace@x.example> a\nécrit :\n\n> On le fait ?"],
  ["Gmail, Spanish", "Yes.\n\nEl lun, 4 may 2026 a las 10:30, Grace (<grace@x.example>) escribió:\n\n> ¿Lo hacemos?"],
  ["Thunderbird, English", "Yes.\n\nOn 5/4/26 10:30, Grace wrote:\n> Shall we?\n> Or not?\n"],
  ["Thunderbird, German", "Am 04.05.26 um 10:30 schrieb Grace:\n> Sollen wir?\n\nYes."],
  ["Thunderbird, French", "Le 04/05/2026 à 10:30, Grace a écrit\u00a0:\n> On le fait ?\nYes."],
  ["Apple Mail, English", "Yes.\n\n> On 4 May 2026, at 10:30, Grace <grace@x.example> wrote:\n> \n> Shall we?"],
  ["Apple Mail, French", "Yes.\n\n> Le 4 mai 2026 à 10:30, Grace <grace@x.example> a écrit :\n> \n> On le fait ?\n"],
  [
    "Outlook for Windows, English",
    "Yes.\n\nFrom: The Bakery <hello@bakery.example>\nSent: Monday, May 4, 2026 10:30 AM\nTo: Ada\nSubject: Bread\n\nShall we?"
  ],
  [
    "Outlook for Windows, German, quoting twice",
    "Yes.\n\nVon: Grace <grace@x.example>\nGesendet: Montag, 4. Mai 2026 10:30\nAn: Ada <ada@x.example>; Bob\n<bob@x.example>\nCc: Eve\nBetreff: AW: Brot\n\nJa\n\nVon: Ada\nGesendet: Montag\nAn: Grace\nBetreff: Brot\n\nSollen wir?"
  ],
  [
    "Outlook on the web, French",
    `Yes.\n\n${"_".repeat(32)}\nDe : Grace\nEnvoyé : lundi 4 mai 2026 10:30\nÀ : Ada\nObjet : Pain\n\nOn ?`
  ],
  [
    "Outlook for Android, Spanish",
    `Yes.\n\n${"_".repeat(32)}\nDe: Grace\nEnviado: lunes, 4 de mayo de 2026 10:30\nPara: Ada\nAsunto: Pan\n\n¿Lo hacemos?`
  ],
  ["Outlook as HTML", `Yes.\n\n${"-".repeat(40)}\nFrom: Grace\nDate: Monday\nTo: Ada\nSubject: Bread\n\nShall we?`],
  ["Outlook with bold labels", "Yes.\n\n*From:* Grace\n*Sent:* Monday\n*To:* Ada\n*Subject:* Bread\n\nShall we?"],
  ["Outlook Express", "Yes.\n\n-----Original Message-----\nFrom: Grace\n\nShall we?"],
  ["Outlook Express, German", "Yes.\n\n-----Ursprüngliche Nachricht-----\nVon: Grace\n\nSollen wir?"],
  ["Outlook Express, French", "Yes.\n\n-----Message d’origine-----\nDe : Grace\n\nOn le fait ?"],
  ["Outlook Express, Spanish", "Yes.\n\n-----Mensaje original-----\nDe: Grace\n\n¿Lo hacemos?"]
]

describe("the answer", () => {
  it.each(replies)("is found in a reply of %s", (_program, text) => {
    expect(withoutQuote(text, names)).toBe("Yes.")
    expect(withoutQuote(text.replaceAll("\n", "\r\n"), names).trim()).toBe("Yes.")
  })
  it("has what is like a quote and is none", () => {
    for (const text of [
      "From: my heart\nTo: you",
      "Date: Monday\nSubject: bread\nFrom: Ada",
      "-----Forwarded Message-----\nShall we?",
      "----------\nprices\n----------",
      "On Monday I wrote:\n> Shall we?\nand on Tuesday:\n> Really?\nSo?",
      "Le pain a écrit une lettre en 2026"
    ]) {
      expect(withoutQuote(text, names)).toBe(text)
    }
  })
  // Each line is read a bounded number of times: a search that began again at each line would not end in a test's time.
  it.each([
    ..."->_\n :*",
    ...["From:\n", "From: \nSent: \n", "> \nOn 2026 wrote:\n", "-----\n", "--- ---\n", "\u00a0", "On 2026 wrote "],
    ...["-- \n", "\n\nSent from my iPhone", "Sent from ", "\r", " \n"]
  ])("is found in a megabyte of %j", (line) => {
    const mega = line.repeat(1_000_000 / line.length)
    for (const text of [mega, `Yes.\n\n${mega}`, `${mega}x`, `> a\n${mega}:\n> b`]) {
      expect(withoutSignature(withoutQuote(text, names)).length).toBeLessThanOrEqual(text.length)
    }
  })
})

describe("a signature", () => {
  it("goes after its delimiter", () => {
    expect(withoutSignature("Yes.\n\n-- \nAda Lovelace\n+44 20 1234")).toBe("Yes.")
    expect(withoutSignature("Yes.\n--\nAda")).toBe("Yes.")
  })
  it.each([
    "Sent from my iPhone",
    "Get Outlook for iOS<https://aka.ms/o0ukef>",
    "Sent from Outlook for Android <https://aka.ms/AAb9ysg>",
    "Sent from Mail for Windows",
    "Sent from my Galaxy\n\nGet Outlook for Android",
    "Von meinem iPhone gesendet",
    "Gesendet von Mail für Windows",
    "Outlook für iOS<https://aka.ms/o0ukef> beziehen",
    "Diese Nachricht wurde von meinem Android-Gerät mit WEB.DE Mail gesendet.",
    "Envoyé de mon iPhone",
    "Envoyé à partir de Courrier pour Windows",
    "Obtenez Outlook pour iOS<https://aka.ms/o0ukef>",
    "Enviado desde mi iPhone",
    "Enviado desde Correo para Windows",
    "Obtener Outlook para Android<https://aka.ms/AAb9ysg>"
  ])("goes as programs and phones add it: %s", (line) => {
    expect(withoutSignature(`Yes.\n\n${line}\n`)).toBe("Yes.")
  })
  it("stays where it is the text, or may be it", () => {
    for (const text of [
      "Sent from my iPhone",
      "-- \nAda",
      "Yes.\nSent from my iPhone",
      "Where is it?\n\nSent from the station, but my phone is lost",
      "Yes.\n\nMy phone is broken",
      `one\n--\n${"more\n".repeat(30)}`
    ]) {
      expect(withoutSignature(text)).toBe(text)
    }
  })
})
