/** What an agent may ask for: the fixed lists of actions and parameters. The plugin and the callback both use them. */
import { z } from "zod";

export const TOOL_NAME = "openchamber";

export const TOOL_DESCRIPTION = [
  "Manages OpenChamber for the user: projects, models, sessions and scheduled tasks.",
  "Sessions and scheduled tasks that it creates are work of the user, who sees them and follows up on them.",
  "Never use it to delegate parts of your own current task.",
].join(" ");

/**
 * The actions. `title` is what a person is shown; `description` is what an agent has to know: inputs, or one thing that
 * the name does not say.
 */
export const ACTIONS = [
  { action: "projects.list", title: "List projects", description: "Needs no parameters." },
  { action: "models.list", title: "List models", description: "Gives the values that model takes." },
  { action: "session.list", title: "List sessions", description: "Newest first; limit is 20 unless given." },
  { action: "session.create", title: "Create session", description: "With a prompt, the session starts on it." },
  { action: "session.send", title: "Send message", description: "Requires sessionId and prompt." },
  { action: "session.fork", title: "Fork session", description: "Requires sessionId; the copy starts on a prompt." },
  { action: "session.status", title: "Show session status", description: "Requires sessionId." },
  { action: "session.messages", title: "Read messages", description: "Requires sessionId; the last limit messages." },
  { action: "schedule.list", title: "List scheduled tasks", description: "Also gives the scheduler's status." },
  { action: "schedule.create", title: "Create scheduled task", description: "Requires title, prompt and cron." },
  { action: "schedule.run", title: "Run scheduled task", description: "Requires taskId; runs it once, now." },
  { action: "schedule.delete", title: "Delete scheduled task", description: "Requires taskId. It cannot be undone." },
  { action: "schedule.toggle", title: "Toggle scheduled task", description: "Requires taskId and disabled." },
];

export const actionName = z.enum(ACTIONS.map(({ action }) => action));

const text = z.string().optional();

/** The parameters of all actions. Which go together is the control service's to say. */
export const parameters = z.strictObject({
  sessionId: text,
  taskId: text,
  title: text,
  prompt: text,
  directory: text.describe("Absolute path of a project; that of this session unless given."),
  model: text.describe("As provider/model."),
  cron: text.describe("Five fields, in the time zone of the server."),
  limit: z.int().min(1).max(200).optional(),
  disabled: z.boolean().optional(),
  timeout: z.number().positive().optional().describe("Seconds; only with wait."),
  worktree: z.boolean().optional().describe("Default false. Set it only when the user asks for a worktree of its own."),
  goal: text.describe("Default none. Set it only when the user asks for Goal Mode; the goal in one sentence."),
  agent: text.describe("Default the server's. Set it only when the user asks for an agent by name."),
  variant: text.describe("Default the model's. Set it only when the user asks for a variant."),
  wait: z
    .boolean()
    .optional()
    .describe("Default false. Set it only when the user asks to wait, or the next step requires the completed result."),
});

/** The action as an agent is shown it: each name with its description. */
export const describedAction = z.union(
  ACTIONS.map(({ action, description }) => z.literal(action).describe(description)),
);
