import {
  AdminContactInput,
  AdminContactResource,
  ContactPatch,
  ImportInput,
  ImportReport,
  ImportResult,
  MergeInput
} from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { publicInputs } from "./publicInputs.js"
import { story } from "./story.js"

const workspace_id = story.workspaceId

const contact: typeof AdminContactResource.Encoded = {
  id: story.contactId,
  workspace_id,
  first_name: "Ada",
  last_name: "Lovelace",
  name: "Ada Lovelace",
  company: null,
  job_title: null,
  email: story.email,
  phone: story.phone,
  country: "GB",
  city: null,
  language: null,
  timezone: "Europe/London",
  lifecycle_stage: "customer",
  opted_out: false,
  marketing_opted_out: false,
  last_activity_at: story.sent,
  created_at: story.began,
  identities: [
    { channel: "email", handle: story.email, display_name: null },
    { channel: "phone", handle: story.phone, display_name: null }
  ],
  tags: ["vip"],
  custom_fields: { shoe_size: 38 }
}

/** What readers of the administration are told of contacts, their imports and merges. */
export const contactEntries: Entries = {
  AdminContact: entry(AdminContactResource, {
    description: "A customer of a workspace, with all that is kept of them.",
    example: contact,
    fields: {
      opted_out: "Whether the contact wants no messages at all.",
      marketing_opted_out: "Whether the contact wants no templates of the category `marketing`.",
      custom_fields: "Values by the keys of fields that the workspace defines."
    }
  }),
  AdminContactInput: entry(AdminContactInput, {
    description: "A contact to make, and its workspace. At least one of `email`, `phone` and `identities` is needed.",
    example: { workspace_id, first_name: "Ada", last_name: "Lovelace", email: "ada@work.example.com" },
    fields: publicInputs.ContactInput?.fields ?? {}
  }),
  ContactPatch: entry(ContactPatch, {
    description:
      "What to change. `tags` and `identities` are replaced as a whole, custom fields one by one; null clears a field.",
    example: { tags: ["vip"], custom_fields: { shoe_size: 39 }, opted_out: false },
    fields: {
      email: "Claims this address for the contact, and gives the former one back.",
      phone: "Claims this number for the contact, and gives the former one back.",
      identities: "`email` and `phone` stay among them."
    }
  }),
  MergeInput: entry(MergeInput, {
    description: "The contact that is folded into this one, and then is gone.",
    example: { contact_id: story.otherContactId }
  }),
  ImportInput: entry(ImportInput, {
    description: "Contacts to import into a workspace.",
    example: {
      workspace_id,
      on_known: "update",
      contacts: [{ email: "ada@home.example.com", first_name: "Ada", tags: ["vip"], opted_out: false }]
    },
    fields: {
      dry_run: "True to be told what would come of it; nothing is written.",
      on_known:
        "What becomes of a contact that has one of the handles already: `skip` (where it is left out) leaves it alone; `update` takes the fields that are given, and adds handles and tags.",
      contacts:
        "Each as in `POST /contacts`, and `opted_out`, `marketing_opted_out`; an import never takes an opt-out back."
    }
  }),
  ImportReport: entry(ImportReport, {
    description: "What came of an import, in the order of the request.",
    example: {
      dry_run: false,
      results: [{ index: 0, result: "created", contact_id: story.otherContactId, details: {} }]
    }
  }),
  ImportResult: entry(ImportResult, {
    description: "What came of one contact of an import.",
    example: { index: 0, result: "created", contact_id: story.otherContactId, details: {} },
    fields: {
      index: "Where the contact stood in the request, from 0.",
      contact_id: "Null where it was refused, and where a dry run would make it.",
      details: "Where it was refused, every field's problems by its name."
    }
  })
}
