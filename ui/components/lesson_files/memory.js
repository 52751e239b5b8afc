export default function ({ data, setStateValue }) {
  const known = data.done.split(" ");
  const all = keep(data.done);
  if (!data.heard && all.split(" ").some((step) => step && !known.includes(step))) setStateValue("found", all);
}
