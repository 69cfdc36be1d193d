import java.io.*;
import java.util.*;
import javax.xml.parsers.*;
import javax.xml.stream.*;
import javax.xml.transform.*;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.*;
import javax.xml.xpath.*;
import org.w3c.dom.*;
import org.xml.sax.*;
import org.xml.sax.helpers.DefaultHandler;

/** java.xml: DOM, SAX, StAX, XPath, a transformation; errors with their lines. */
public class Xml {
    static final String DOC = "<?xml version=\"1.0\"?><!-- c --><shop xmlns:p='urn:p' name=\"S&amp;T\">\n <item id='1' p:x='y'>one</item>\n <item id='2'><![CDATA[<two>]]></item>\n <p:item id='3'/>tail &lt;\n</shop>";

    public static void main(String[] args) throws Exception {
        DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();
        f.setNamespaceAware(true);
        DocumentBuilder b = f.newDocumentBuilder();
        b.setErrorHandler(null);
        Document d = b.parse(new InputSource(new StringReader(DOC)));
        Element root = d.getDocumentElement();
        NodeList items = root.getElementsByTagName("item");
        System.out.println(root.getAttribute("name") + " " + items.getLength() + " " + items.item(1).getTextContent() + " " + ((Element) items.item(0)).getAttributeNS("urn:p", "x") + " " + root.getElementsByTagNameNS("urn:p", "item").getLength() + " " + d.getFirstChild().getNodeType() + " " + root.getChildNodes().getLength());
        StringBuilder s = new StringBuilder();
        SAXParserFactory.newInstance().newSAXParser().parse(new InputSource(new StringReader(DOC)), new DefaultHandler() {
            @Override public void startElement(String u, String l, String q, Attributes a) { s.append('<').append(q).append(a.getLength()); }
            @Override public void endElement(String u, String l, String q) { s.append('>'); }
            @Override public void characters(char[] c, int o, int n) { s.append(new String(c, o, n).trim()); }
        });
        System.out.println(s);
        XMLStreamReader r = XMLInputFactory.newInstance().createXMLStreamReader(new StringReader(DOC));
        s.setLength(0);
        while (r.hasNext()) { int e = r.next(); s.append(e).append(e == XMLStreamConstants.START_ELEMENT ? r.getLocalName() : "").append(' '); }
        System.out.println(s);
        XPath x = XPathFactory.newInstance().newXPath();
        System.out.println(x.evaluate("count(//item)", d) + " " + x.evaluate("/shop/item[@id='2']", d) + " " + x.evaluate("sum(//@id)", d) + " " + x.evaluate("string-length(normalize-space(/shop))", d));
        try { x.compile("//["); } catch (XPathExpressionException e) { System.out.println("bad expression"); }
        Element added = d.createElement("new");
        added.setAttribute("a", "<\"&>");
        added.appendChild(d.createTextNode("x > y"));
        root.insertBefore(added, root.getFirstChild());
        root.removeChild(items.item(1));
        Transformer t = TransformerFactory.newInstance().newTransformer();
        t.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        StringWriter w = new StringWriter();
        t.transform(new DOMSource(d), new StreamResult(w));
        System.out.println(w.toString().replace("\n", "/"));
        XMLStreamWriter sw = XMLOutputFactory.newInstance().createXMLStreamWriter(w = new StringWriter());
        sw.writeStartElement("a");
        sw.writeAttribute("k", "<>");
        sw.writeCharacters("&");
        sw.writeEmptyElement("e");
        sw.writeEndElement();
        sw.flush();
        System.out.println(w);
        for (String bad : new String[] {"<a>\n<b></a>", "<a", "<a>&none;</a>", "<a/><b/>", "<a x='1' x='2'/>", ""}) {
            try {
                b.parse(new InputSource(new StringReader(bad)));
            } catch (SAXParseException e) {
                System.out.println(e.getLineNumber() + ":" + e.getColumnNumber() + " " + e.getMessage());
            }
        }
    }
}
