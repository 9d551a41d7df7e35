import { expect } from "vitest"
import { page, problems, refusal, resource, wrongFields } from "../Answers.js"
import { freshEmail, freshHandle, freshNumber } from "../Handles.js"
import { Contact, ListedContact, lifecycleStages } from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { otherTenant, shop } from "../shared.js"

/** The shared workspace, with a custom field of each type. */
const withFields = once(async (world) => {
  const tenant = await shop(world)
  for (const key of ["text", "number", "boolean", "date"]) {
    await world.admin.post("/custom-fields", { workspace_id: tenant.workspaceId, key, type: key, label: key })
  }
  return tenant
})

/** Contacts (docs/reference/contacts.md#contact-fields). */
export const contacts: Section = ({ proves, provesWith }) => {
  proves("Contact · fields · returns all given fields, with id, name and times", async (world) => {
    const { app } = await withFields(world)
    const email = freshEmail()
    const phone = freshNumber()
    const handle = freshHandle("telegram")
    const given = {
      ...{ first_name: "Ada", last_name: "Lovelace", company: "Engines", job_title: "Countess", email, phone },
      ...{ country: "GB", city: "London", language: "en-GB", lifecycle_stage: "prospect", tags: ["vip", "early"] }
    }
    const answer = await app.api.post("/contacts", {
      ...given,
      timezone: "Europe/London",
      identities: [{ channel: "telegram", handle }],
      custom_fields: { text: "x", number: 1.5, boolean: true, date: "2026-05-04" }
    })
    const made = resource(answer, 201, Contact)
    expect(made).toMatchObject({ ...given, tags: expect.arrayContaining(given.tags), name: "Ada Lovelace" })
    expect(made).toMatchObject({ opted_out: false, marketing_opted_out: false, last_activity_at: made.created_at })
    expect(made.tags).toHaveLength(2)
    expect(made.identities.map(({ channel, handle }) => [channel, handle]).sort()).toEqual([
      ["email", email],
      ["phone", phone],
      ["telegram", handle]
    ])
    expect(resource(await app.api.get(`/contacts/${made.id}`), 200, Contact)).toEqual(made)
  })

  const lengths = [
    ...([
      ["first_name", 100],
      ["last_name", 100],
      ["company", 255],
      ["job_title", 255]
    ] as const),
    ...([
      ["country", 2],
      ["city", 100],
      ["language", 10]
    ] as const)
  ] as const
  for (const [field, most] of lengths) {
    proves(`Contact · fields · ${field} is text of at most ${most} characters, or null`, async (world) => {
      const { api } = (await shop(world)).app
      const make = (value: unknown) => api.post("/contacts", { email: freshEmail(), [field]: value })
      const atLimit = "é".repeat(most)
      expect(resource(await make(atLimit), 201, Contact)[field]).toBe(atLimit)
      expect(resource(await make(null), 201, Contact)[field]).toBeNull()
      expect(resource(await make(""), 201, Contact)[field]).toBeNull()
      for (const wrong of [`${atLimit}é`, 7, ["x"], { x: 1 }, "a\u0000", "\ud800"]) {
        expect(wrongFields(await make(wrong)), String(wrong)).toEqual([field])
      }
    })
  }

  proves("Contact · fields · timezone is an input field, text or null, that is not shown", async (world) => {
    const { api } = (await shop(world)).app
    const made = resource(await api.post("/contacts", { email: freshEmail(), timezone: "Asia/Tokyo" }), 201, Contact)
    expect(made).not.toHaveProperty("timezone")
    expect(wrongFields(await api.post("/contacts", { email: freshEmail(), timezone: 9 }))).toEqual(["timezone"])
  })

  proves("Contact · fields · email has the format of one and at most 255 characters", async (world) => {
    const { api } = (await shop(world)).app
    const ofLength = (length: number) => {
      // The local part has at most 64 characters.
      const domain = `@${"d".repeat(63)}.${"e".repeat(63)}.${"f".repeat(62)}.example`
      return (
        freshEmail()
          .replace(/@.*/, "")
          .padEnd(length - domain.length, "x") + domain
      )
    }
    expect(resource(await api.post("/contacts", { email: ofLength(255) }), 201, Contact).email).toHaveLength(255)
    for (const wrong of [ofLength(256), "ada", "ada@", "@example.org", "a b@example.org", 5]) {
      expect(wrongFields(await api.post("/contacts", { phone: freshNumber(), email: wrong }))).toEqual(["email"])
    }
  })

  proves("Contact · fields · phone is a number in E.164 and at most 40 characters as given", async (world) => {
    const { api } = (await shop(world)).app
    const spaced = (length: number) => freshNumber().padStart(length, " ")
    expect(resource(await api.post("/contacts", { phone: spaced(40) }), 201, Contact).phone).toMatch(/^\+\d{7,15}$/)
    for (const wrong of [spaced(41), "12345678", "+123456", "+1234567890123456", "+1555CALLNOW", 15550000000]) {
      expect(wrongFields(await api.post("/contacts", { email: freshEmail(), phone: wrong }))).toEqual(["phone"])
    }
  })

  for (const stage of lifecycleStages) {
    proves(`Contact · lifecycle_stage · ${stage} is accepted`, async (world) => {
      const answer = await (await shop(world)).app.api.post("/contacts", {
        email: freshEmail(),
        lifecycle_stage: stage
      })
      expect(resource(answer, 201, Contact).lifecycle_stage).toBe(stage)
    })
  }
  proves("Contact · lifecycle_stage · is lead by default; other values are refused", async (world) => {
    const { api } = (await shop(world)).app
    expect(resource(await api.post("/contacts", { email: freshEmail() }), 201, Contact).lifecycle_stage).toBe("lead")
    for (const wrong of ["Lead", "subscriber", 1]) {
      const answer = await api.post("/contacts", { email: freshEmail(), lifecycle_stage: wrong })
      expect(wrongFields(answer)).toEqual(["lifecycle_stage"])
    }
  })

  proves("Contact · fields · output-only and unknown fields of a request are ignored", async (world) => {
    const { api } = (await shop(world)).app
    const answer = await api.post("/contacts", {
      ...{ email: freshEmail(), first_name: "Grace", id: "x", name: "Somebody", opted_out: true, nonsense: [1] },
      ...{ marketing_opted_out: "yes", last_activity_at: 1, created_at: "2001-01-01" }
    })
    expect(resource(answer, 201, Contact)).toMatchObject({
      name: "Grace",
      opted_out: false,
      marketing_opted_out: false
    })
  })

  const named = [
    ["first and last name", { first_name: "Ada", last_name: "Lovelace", company: "Engines" }, "Ada Lovelace"],
    ["one name", { last_name: "Lovelace", company: "Engines" }, "Lovelace"],
    ["company", { company: "Engines" }, "Engines"]
  ] as const
  for (const [of, fields, name] of named) {
    proves(`Contact · name · is derived of the ${of}`, async (world) => {
      const answer = await (await shop(world)).app.api.post("/contacts", { email: freshEmail(), ...fields })
      expect(resource(answer, 201, Contact).name).toBe(name)
    })
  }
  proves("Contact · name · is else the email, the phone, or the first handle", async (world) => {
    const { api } = (await shop(world)).app
    const [email, phone, handle] = [freshEmail(), freshNumber(), freshHandle("telegram")]
    const identities = [{ channel: "telegram", handle }]
    expect(resource(await api.post("/contacts", { email, phone }), 201, Contact).name).toBe(email)
    const second = freshNumber()
    expect(resource(await api.post("/contacts", { phone: second, identities }), 201, Contact).name).toBe(second)
    const third = [{ channel: "facebook", handle: freshHandle("facebook") }]
    expect(resource(await api.post("/contacts", { identities: third }), 201, Contact).name).toBe(third[0]?.handle)
  })

  for (const channel of ["whatsapp", "telegram", "instagram", "facebook", "email", "phone"] as const) {
    proves(`Identity · channel · ${channel} is accepted`, async (world) => {
      const handle = freshHandle(channel)
      const answer = await (await shop(world)).app.api.post("/contacts", { identities: [{ channel, handle }] })
      expect(resource(answer, 201, Contact).identities).toContainEqual({ channel, handle, display_name: null })
    })
  }
  proves("Identity · channel · other values are refused", async (world) => {
    for (const channel of ["webchat", "fax", 1]) {
      const body = { email: freshEmail(), identities: [{ channel, handle: "x" }] }
      expect(wrongFields(await (await shop(world)).app.api.post("/contacts", body))).toEqual(["identities.0.channel"])
    }
  })
  proves("Identity · handle · is text of 1 to 255 characters; display_name is output only", async (world) => {
    const { api } = (await shop(world)).app
    const make = (handle: unknown) =>
      api.post("/contacts", { identities: [{ channel: "telegram", handle, display_name: "Ada" }] })
    const atLimit = freshHandle("telegram").padEnd(255, "x")
    expect(resource(await make(atLimit), 201, Contact).identities).toEqual([
      { channel: "telegram", handle: atLimit, display_name: null }
    ])
    for (const wrong of [`${atLimit}x`, "", 5, null]) {
      expect(wrongFields(await make(wrong))).toContain("identities.0.handle")
    }
  })
  proves("Identity · handle · is shown in its normal form", async (world) => {
    const { api } = (await shop(world)).app
    const [number, email] = [freshNumber(), freshEmail()]
    const body = {
      email: ` ${email.toUpperCase()} `,
      phone: `00${number.slice(1, 5)} (${number.slice(5, 8)}) ${number.slice(8)}`
    }
    const made = resource(await api.post("/contacts", body), 201, Contact)
    expect(made).toMatchObject({ email, phone: number })
    expect(made.identities.map(({ handle }) => handle).sort()).toEqual([number, email].sort())
  })

  proves(
    "Contact · custom_fields · unknown keys and values of a wrong type are refused by their key",
    async (world) => {
      const { app } = await withFields(world)
      const types = { text: 1, number: "1", boolean: "true", date: "2026-13-01" }
      const wrong = await app.api.post("/contacts", { email: freshEmail(), custom_fields: { ...types, unknown: 1 } })
      expect(wrongFields(wrong)).toEqual([...Object.keys(types), "unknown"].map((key) => `custom_fields.${key}`).sort())
      const list = await app.api.post("/contacts", { email: freshEmail(), custom_fields: ["text"] })
      expect(wrongFields(list)).toEqual(["custom_fields"])
    }
  )

  proves("Contact · rule 1 · needs an email, a phone or an identity", async (world) => {
    const { api } = (await shop(world)).app
    const without = ["email", "identities", "phone"]
    for (const body of [{ first_name: "Ada" }, {}, { email: "", phone: null, identities: [] }]) {
      expect(wrongFields(await api.post("/contacts", body))).toEqual(without)
    }
    for (const body of [
      { email: freshEmail() },
      { phone: freshNumber() },
      { identities: [{ channel: "instagram", handle: freshHandle("instagram") }] }
    ]) {
      resource(await api.post("/contacts", body), 201, Contact)
    }
  })

  proves("Contact · rule 2 · tags holds at most 20 items", async (world) => {
    const { api } = (await shop(world)).app
    const tags = Array.from({ length: 21 }, (_, index) => `tag ${index}`)
    const twenty = tags.slice(0, 20)
    const made = resource(await api.post("/contacts", { email: freshEmail(), tags: twenty }), 201, Contact)
    expect([...made.tags].sort()).toEqual([...twenty].sort())
    expect(wrongFields(await api.post("/contacts", { email: freshEmail(), tags }))).toEqual(["tags"])
  })
  proves("Contact · rule 2 · each tag is at most 100 characters", async (world) => {
    const { api } = (await shop(world)).app
    const make = (tag: unknown) => api.post("/contacts", { email: freshEmail(), tags: ["fine", tag] })
    const atLimit = "ü".repeat(100)
    expect(resource(await make(atLimit), 201, Contact).tags).toContain(atLimit)
    for (const wrong of [`${atLimit}ü`, 5, ""]) expect(wrongFields(await make(wrong))).toEqual(["tags.1"])
  })
  proves("Contact · rule 2 · tags that do not exist are created, and keep their first spelling", async (world) => {
    const { app } = await shop(world)
    const make = async (tag: string) =>
      resource(await app.api.post("/contacts", { email: freshEmail(), tags: [tag] }), 201, Contact)
    const first = await make("Première")
    const second = await make("PREMIERE")
    expect([first.tags, second.tags]).toEqual([["Première"], ["Première"]])
    const found = page(await app.api.get("/contacts", { tag: "premiere" }), ListedContact)
    expect(found.data.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
  })

  proves("Contact · rule 3 · identities holds at most 10 entries", async (world) => {
    const { api } = (await shop(world)).app
    const entries = (length: number) =>
      Array.from({ length }, () => ({ channel: "telegram", handle: freshHandle("telegram") }))
    expect(resource(await api.post("/contacts", { identities: entries(10) }), 201, Contact).identities).toHaveLength(10)
    expect(wrongFields(await api.post("/contacts", { identities: entries(11) }))).toEqual(["identities"])
  })

  const claimed = ["email", "phone", "identities"] as const
  for (const field of claimed) {
    proves(`Contact · rule 4 · a handle in ${field} that another contact has is 422 with its id`, async (world) => {
      const { api } = (await shop(world)).app
      const bodies = {
        email: { email: freshEmail() },
        phone: { phone: freshNumber() },
        identities: { identities: [{ channel: "telegram", handle: freshHandle("telegram") }] }
      }
      const { id } = resource(await api.post("/contacts", bodies[field]), 201, Contact)
      const { contact_id, ...named } = problems(await api.post("/contacts", bodies[field]))
      expect(contact_id).toBe(id)
      expect(Object.keys(named)).toEqual([expect.stringMatching(new RegExp(`^${field}`))])
    })
  }
  proves("Contact · rule 4 · handles are compared in their normal form, WhatsApp and phone as one", async (world) => {
    const { api } = (await shop(world)).app
    const [number, email] = [freshNumber(), freshEmail()]
    const { id } = resource(await api.post("/contacts", { phone: number, email }), 201, Contact)
    const again = [
      { phone: `00 ${number.slice(1, 6)}-${number.slice(6)}` },
      { identities: [{ channel: "whatsapp", handle: number }] },
      { identities: [{ channel: "phone", handle: number }] },
      { identities: [{ channel: "email", handle: email.toUpperCase() }] },
      { email: `  ${email}` }
    ]
    for (const body of again) expect(problems(await api.post("/contacts", body)).contact_id).toBe(id)
  })
  proves(
    "Contact · rule 4 · a handle may be another contact's on another channel or in another workspace",
    async (world) => {
      const { api } = (await shop(world)).app
      const handle = freshHandle("telegram")
      for (const channel of ["telegram", "instagram", "facebook"]) {
        resource(await api.post("/contacts", { identities: [{ channel, handle }] }), 201, Contact)
      }
      const elsewhere = await otherTenant(world)
      const body = { identities: [{ channel: "telegram", handle }] }
      resource(await elsewhere.app.api.post("/contacts", body), 201, Contact)
    }
  )
  provesWith("PATCH /contacts/{id}", "Contact · rule 4 · an update to a claimed handle is 409", async (world) => {
    const { api } = (await shop(world)).app
    const email = freshEmail()
    resource(await api.post("/contacts", { email }), 201, Contact)
    const other = resource(await api.post("/contacts", { email: freshEmail() }), 201, Contact)
    refusal(await world.admin.caller.patch(`/contacts/${other.id}`, { email }), 409, "identity_already_claimed")
  })

  proves("GET /contacts/{contact} · an unknown or invisible id is 404", async (world) => {
    const { api } = (await shop(world)).app
    const elsewhere = await otherTenant(world)
    const { id } = resource(await elsewhere.app.api.post("/contacts", { email: freshEmail() }), 201, Contact)
    for (const unknown of [id, id.replace(/.$/, (last) => (last === "0" ? "1" : "0")), "none", "%00", "1"]) {
      refusal(await api.get(`/contacts/${unknown}`), 404, "not_found")
    }
  })
}
