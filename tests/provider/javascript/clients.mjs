// Calls the fake provider with an official client, once for each exchange that it plays, and prints what came of it.
// Arguments: the family, the origin, and the number of calls.

import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";

const [family, origin, count] = process.argv.slice(2);

const clients = {
  openai() {
    const client = new OpenAI({ apiKey: "key-1", baseURL: `${origin}/v1` });
    return async () => {
      const messages = [{ role: "user", content: "Hi." }];
      const completion = await client.chat.completions.create({ model: "model-1", messages });
      const { content, tool_calls: calls } = completion.choices[0].message;
      const functions = (calls ?? []).filter((call) => call.type === "function");
      return {
        text: content ?? "",
        calls: functions.map((call) => [call.function.name, call.function.arguments]),
      };
    };
  },

  gemini() {
    const client = new GoogleGenAI({ apiKey: "key-1", httpOptions: { baseUrl: origin } });
    return async () => {
      const response = await client.models.generateContent({ model: "model-1", contents: "Hi." });
      const parts = response.candidates?.[0]?.content?.parts ?? [];
      const texts = parts.filter((part) => part.text && !part.thought);
      const calls = parts.filter((part) => part.functionCall).map((part) => part.functionCall);
      return {
        text: texts.map((part) => part.text).join(""),
        calls: calls.map((call) => [call.name, call.args ?? {}]),
      };
    };
  },
};

const ask = clients[family]();
for (let call = 0; call < Number(count); call += 1) {
  const outcome = await ask().catch((error) => ({ error: error.constructor.name, status: error.status }));
  console.log(JSON.stringify(outcome));
}
