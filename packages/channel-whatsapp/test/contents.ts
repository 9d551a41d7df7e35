import type { SentContent } from "@parley/testkit"

const place = { type: "location", latitude: 52.52, longitude: 13.405, name: null, address: null, url: null } as const
const ada = { name: "Ada Lovelace", organization: "Engines", phones: ["+49301"], emails: ["ada@example.com"] }
const option = { id: "yes", title: "Yes", description: null }

/** Sends of each type, and what Meta takes of them. */
export const contents: ReadonlyArray<SentContent> = [
  { content: place, body: "52.52, 13.405" },
  {
    content: { ...place, name: "Bakery", address: "Main St 1", url: "https://bakery.example" },
    body: "Bakery",
    taken: { ...place, name: "Bakery", address: "Main St 1" }
  },
  {
    content: {
      type: "contacts",
      contacts: [ada, { name: "Grace", organization: null, phones: [], emails: [] }]
    },
    body: "Ada Lovelace"
  },
  {
    content: { type: "choices", button: "ignored", options: [option, { ...option, id: "no", title: "No" }] },
    body: "Today?",
    taken: { type: "choices", button: null, options: [option, { ...option, id: "no", title: "No" }] },
    takenText: "Today?"
  },
  {
    content: { type: "choices", button: "Days", options: [{ ...option, description: "All day" }] },
    body: "When?",
    takenText: "When?"
  },
  {
    content: { type: "choices", button: null, options: ["1", "2", "3", "4"].map((id) => ({ ...option, id })) },
    body: "Which?",
    taken: { type: "choices", button: "Options", options: ["1", "2", "3", "4"].map((id) => ({ ...option, id })) },
    takenText: "Which?"
  },
  {
    content: { type: "choices", button: null, options: [option, { ...option, id: "also" }] },
    body: "Which of them?",
    taken: { type: "choices", button: "Options", options: [option, { ...option, id: "also" }] },
    takenText: "Which of them?"
  },
  { content: { type: "reaction", emoji: "👍" }, body: "👍" },
  { content: { type: "reaction", emoji: null }, body: "Reaction removed" }
]
