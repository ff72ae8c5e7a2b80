// What is too pale for its ground: WCAG 2.2 wants 4.5 to 1 for text, 3 to 1 for large text and for the edges of controls.
(() => {
  const channels = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number);
    return { red, green, blue, alpha };
  };
  const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ({ red, green, blue }) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = (element) => {
    const plate = element.namespaceURI.endsWith("svg") && element.parentElement.querySelector("rect:not(.mark)");
    if (plate) return channels(getComputedStyle(plate).fill);
    for (let at = element; at !== null; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor);
      if (color.alpha === 1) return color;
    }
    return channels("rgb(255, 255, 255)");
  };
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const told = [];
  const judge = (element, color, wanted, what) => {
    const found = contrast(channels(color), ground(element));
    if (found < wanted) told.push(`${found.toFixed(2)} of ${wanted}: ${what} ${element.outerHTML.slice(0, 80)}`);
  };
  let judged = 0;
  for (const element of document.body.querySelectorAll("*")) {
    if (!seen(element)) continue;
    const style = getComputedStyle(element);
    const ownText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
    if (ownText && element.tagName !== "title") {
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      judge(element, element.namespaceURI.endsWith("svg") ? style.fill : style.color, large ? 3 : 4.5, "text");
      judged++;
    }
    if (["BUTTON", "INPUT", "SELECT"].includes(element.tagName) && element.parentElement !== null) {
      const edge = contrast(channels(style.borderTopColor), ground(element.parentElement));
      if (edge < 3) told.push(`${edge.toFixed(2)} of 3: edge ${element.outerHTML.slice(0, 80)}`);
    }
  }
  if (judged < 50) told.push(`only ${judged} texts were found`);
  return told;
})()
