export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  button.textContent = data.label;
  button.onclick = () => print();
}
